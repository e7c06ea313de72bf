"""Deliberate mistakes, one at a time, in a copy of the source: does the suite catch each?

Run `python tests/mutations.py` (or `make mutations`; `make test` does it, too). Prints caught or
missed for each mistake and exits with 1 if one was missed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import queue
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent

LAWS, IDENTITIES, GOLDEN = "test_laws.py", "test_identities.py", "test_golden.py"
TABLE, TALLY, BAD = "test_table.py", "test_tally.py", "test_bad_input.py"
PEERS, DOORS = "test_peers.py", "test_label_doors.py"
GUARD = "test_architecture.py::test_imports_point_left_and_never_in_a_circle"


@dataclass(frozen=True)
class Mistake:
    """Text of a file replaced by something wrong, and the tests that should notice."""

    what: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


MISTAKES = [
    Mistake(
        "a miss above the highest cut costs as a false alarm",
        "measures/grades.py",
        "lost = d * (held.over * held.real_above + held.under * held.real_below)",
        "lost = d * (held.over * held.real_below + held.under * held.real_above)",
        ("test_grades.py", GOLDEN),
    ),
    Mistake(
        "the opposite of a lower limit above a bar is that the limit is not above it",
        "inference/stop_rules.py",
        "return NOT[self.sign](_agreed(w)[1], self.bar)",
        "return NOT[self.sign](_agreed(w)[0], self.bar)",
        ("test_stop_rules.py::test_opposed",),
    ),
    Mistake(
        "a bettor is paid as if his price did not matter",
        "inference/betting.py",
        "bet = (counts.x / price)[..., None] * SHARES",
        "bet = (counts.x * 2)[..., None] * SHARES",
        ("test_watch.py::test_golden_streams",),
    ),
    Mistake(
        "the price of a benchmark does not follow what is left",
        "inference/betting_benchmark.py",
        "left = self.n - self.seen - np.arange(len(x))",
        "left = self.n - self.seen - 0 * np.arange(len(x))",
        ("test_watch.py::test_golden_streams",),
    ),
    Mistake(
        "results are counted as they come, not as they were scheduled",
        "inference/watch_counting.py",
        "while self._next in self._held:\n",
        "while self._held:\n            self._next = min(self._held)\n",
        ("test_watch.py::test_results_wait_for_those_scheduled_before",),
    ),
    Mistake(
        "labels by verdict are taken for a random part of all",
        "systems/judge_strata.py",
        "w = cases / cases.sum(axis=-1, keepdims=True)\n    p =",
        "w = labelled / labelled.sum(axis=-1, keepdims=True)\n    p =",
        ("test_judge_batch.py::test_rates_are_those_of_r",),
    ),
    Mistake(
        "a judged batch is taken for all that the system will ever say",
        "systems/judge_strata.py",
        'if target == "batch":\n        left',
        "if True:\n        left",
        ("test_judge_batch.py::test_rates_are_those_of_r",),
    ),
    Mistake(
        "differences of tags divide by n",
        "inference/tags_influence.py",
        "return squares * (units / (units - 1)) if units > 1 else squares",
        "return squares",
        ("test_tags_systems.py::test_differences_of_item_means_are_the_paired_t_test",),
    ),
    Mistake(
        "a board of tags divides by n",
        "systems/tags_comparison.py",
        "covariance = between_units(t, each.T @ each)",
        "covariance = each.T @ each",
        ("test_tags_systems.py::test_a_board_has_the_p_values_of_its_comparisons",),
    ),
    Mistake(
        "the standard error of a paired difference between units divides by n",
        "systems/paired_arc.py",
        "u, 0.0)) * ratio(n, n - 1)), self.items)",
        "u, 0.0))), self.items)",
        ("test_compare_units.py::test_the_standard_error_between_units_divides_by_one_less",),
    ),
    Mistake(
        "a mean of bounded scores has Student's interval alone",
        "inference/bounded_mean.py",
        "return np.fmin(low, one), np.fmax(high, other)",
        "return one, other",
        ("test_marks.py::test_equal_scores_leave_an_interval_with_a_width",),
    ),
    Mistake(
        "tags that always occur can be bet on",
        "measures/tag_scores.py",
        "return (self.real > 0) & (self.real < self.n)",
        "return self.real > 0",
        ("test_tags.py::test_laws_over_all_small_cases",),
    ),
    Mistake(
        "few units weigh as much beside pseudo-cases at every level in limits, and not in p-values",
        "systems/paired_arc.py",
        "counts = s.counts * (normal / z) ** 2",
        "counts = s.counts",
        ("test_compare_units.py::test_p_is_small_exactly_where_the_interval_of_any_level_excludes_the_null",),
    ),
    Mistake(
        "marks of several systems in one log are gated by their mean",
        "sources/logs/__init__.py",
        "return (systems and marks) or (tasks and not grouped)",
        "return tasks and not grouped",
        ("test_suites.py::test_one_log_of_several_tasks_or_systems_has_no_number_of_all",),
    ),
    Mistake(
        "items that were dropped are no items that were not run",
        "systems/guards.py",
        'held[name]["not-run"] += p.missing',
        'held[name]["not-run"] += 0',
        ("test_cheats.py::test_a_cheat_passes_nowhere",),
    ),
    Mistake(
        "a suite of which a task is left forgets those that were not",
        "cli/_suites.py",
        'states[name]["not-run"] = states[name].get("not-run", 0) + more',
        'states[name]["not-run"] = states[name].get("not-run", 0)',
        ("test_cheats.py::test_a_task_that_is_not_there_stops_the_gate",),
    ),
    Mistake(
        "products of two different cells are taken once",
        "sources/unit_groups.py",
        "np.where(first == second, 0.0, product)",
        "np.zeros_like(product)",
        ("test_unit_gram.py",),
    ),
    Mistake(
        "a table counts in full beside those further out",
        "inference/hypergeometric_tails.py",
        "share = np.where(np.abs(x - k) < TIE, 0.5, 1.0)",
        "share = np.where(np.abs(x - k) < TIE, 1.0, 1.0)",
        ("test_permutation_tails.py::test_golden_tables_that_are_counted",),
    ),
    Mistake(
        "the saddlepoint takes hits for continuous",
        "inference/smooth_tails.py",
        "u = 2 * np.tanh(fit.tilt / 2) *",
        "u = fit.tilt *",
        ("test_permutation_tails.py::test_golden_tables_that_are_not_counted",),
    ),
    Mistake(
        "the two-sided p-value forgets the far tail",
        "inference/permutation_tails.py",
        "both = np.where(central, 1.0, np.minimum(near + far, 1.0))",
        "both = np.where(central, 1.0, np.minimum(near, 1.0))",
        ("test_permutation_tails.py::test_two_classes_in_fractions",),
    ),
    Mistake(
        "power counts a table whose p-value is alpha",
        "inference/two_class_power.py",
        "rejects = inside & (pvalue < alpha * TIED)",
        "rejects = inside & (pvalue < alpha * 1.05)",
        ("test_power.py::test_power_is_that_of_all_tables",),
    ),
    Mistake(
        "power forgets the tables that widened runs took in",
        "inference/two_class_power.py",
        "chance = accepted @ share - extra @ share[row]",
        "chance = accepted @ share",
        ("test_power.py::test_power_is_that_of_all_tables",),
    ),
    Mistake(
        "power of several classes goes by normal critical values",
        "inference/planned_tests.py",
        "z = z + np.clip(normal + ndtri(np.clip(found, 1e-300, 0.5)), -1.0, 1.0)",
        "z = z + 0 * np.clip(normal + ndtri(np.clip(found, 1e-300, 0.5)), -1.0, 1.0)",
        ("test_power.py::test_critical_values_are_those_of_shuffled_tables",),
    ),
    Mistake(
        "z of a planned test is taken as straight",
        "inference/planned_tests.py",
        "third = (share * slope**3).sum(axis=0) + 3 * along",
        "third = (share * slope**3).sum(axis=0)",
        ("test_power.py::test_bias_and_skewness_of_z_are_those_of_its_draws",),
    ),
    Mistake(
        "units are planned as if cases were independent",
        "inference/planned_units.py",
        "first = plan.n * groups.effect / groups.size",
        "first = plan.n / groups.size",
        ("test_power.py::test_units_are_planned_by_what_they_are_worth",),
    ),
    Mistake(
        "a gate on informedness divides by what was answered",
        "measures/headline.py",
        '    if not silent or count == "answered" or m.bound:\n        return m',
        "    return m",
        ("test_headline.py::TestGates",),
    ),
    Mistake(
        "an item without a row counts as no answer in a comparison",
        "evidence/paired.py",
        "codes=np.where(out > 0, ABSENT, p.codes)",
        "codes=np.where(out > 0, -1, p.codes)",
        ("test_headline.py::TestPairs",),
    ),
    Mistake(
        "a stack loses its names in frames",
        "results.py",
        "tuple(range(n)) if held is None else held",
        "tuple(range(n))",
        ("test_results.py::test_names_are_kept",),
    ),
    Mistake(
        "warnings of a result pass for notes",
        "results.py",
        'return Note(text, "warning", code)',
        "return Note(text, code=code)",
        ("test_pages.py::test_slices_warn_where_the_pool_contradicts_them",),
    ),
    Mistake(
        "fallout as the paper prints it: fp/rp (E-1)",
        "measures/rates.py",
        "return t.fp, t.rn",
        "return t.fp, t.rp",
        (GOLDEN,),
    ),
    Mistake("recall and precision exchanged", "measures/rates.py", "return t.tp, t.rp", "return t.tp, t.pp", (GOLDEN,)),
    Mistake(
        "negative likelihood ratio upside down (E-2)",
        "measures/diagnosis.py",
        "ratio(ratio(t.fn, t.rp), ratio(t.tn, t.rn))",
        "ratio(ratio(t.tn, t.rn), ratio(t.fn, t.rp))",
        (GOLDEN,),
    ),
    Mistake(
        "Scott's pi without its halves (E-3)",
        "measures/agreement.py",
        "pi = ratio(t.predicted_totals + t.real_totals, 2 * t.total)",
        "pi = ratio(t.predicted_totals + t.real_totals, t.total)",
        (GOLDEN,),
    ),
    Mistake(
        "Krippendorff's correction the wrong way",
        "measures/agreement.py",
        "ratio(2 * t.total - 1, 2 * t.total)",
        "ratio(2 * t.total, 2 * t.total - 1)",
        (GOLDEN,),
    ),
    Mistake(
        "Gwet's chance not divided by K - 1",
        "measures/agreement.py",
        "chance = ratio(_apart(t), t.k - 1)",
        "chance = _apart(t)",
        (GOLDEN,),
    ),
    Mistake(
        "linear weights squared",
        "measures/agreement.py",
        '"linear": 1, "quadratic": 2',
        '"linear": 2, "quadratic": 2',
        (GOLDEN,),
    ),
    Mistake(
        "mutual information with the sign of (39) (E-4)",
        "measures/information.py",
        "terms = ratio(t.cells, t.total) * np.log",
        "terms = -ratio(t.cells, t.total) * np.log",
        (GOLDEN,),
    ),
    Mistake("bits that are nats", "measures/information.py", '"2": np.log(2)', '"2": 1.0', (GOLDEN,)),
    Mistake(
        "alpha = beta² (E-9)",
        "measures/overlap.py",
        "ratio((1 + beta**2) * t.tp, beta**2 * t.rp + t.pp)",
        "ratio(t.tp, beta**2 * t.rp + (1 - beta**2) * t.pp)",
        (PEERS,),
    ),
    Mistake(
        "informedness weighted by bias by default (E-17)",
        "measures/chance.py",
        'weighting: Weighting = "prevalence") -> Array',
        'weighting: Weighting = "bias") -> Array',
        (IDENTITIES,),
    ),
    Mistake(
        "markedness that is informedness for three classes",
        "measures/chance.py",
        "missed = ratio(t.misses, t.predicted_rest)",
        "missed = ratio(t.false_alarms, t.real_rest)",
        (IDENTITIES,),
    ),
    Mistake(
        "correlation that takes the root of |BM| (the author's script)",
        "measures/chance.py",
        "np.sqrt(np.maximum(b * m, 0))",
        "np.sqrt(np.abs(b * m))",
        (IDENTITIES,),
    ),
    Mistake(
        "the exact exponent read as 2/K", "measures/chance.py", '"exact": 1 / (k - 1)', '"exact": 2 / k', (IDENTITIES,)
    ),
    Mistake("a determinant that loses its sign", "measures/chance.py", "sign * np.exp(log", "np.exp(log", (LAWS,)),
    Mistake(
        "lambda of the other side",
        "measures/association.py",
        "1 - ratio(_not_modal(t.cells), t.real_rest.min(axis=0))",
        "1 - ratio(_not_modal(t.cells.swapaxes(0, 1)), t.real_rest.min(axis=0))",
        (GOLDEN,),
    ),
    Mistake(
        "pairs counted twice",
        "measures/association.py",
        "return totals * (totals - 1) / 2",
        "return totals * totals / 2",
        (PEERS,),
    ),
    Mistake(
        "an expectation that starts above its first term",
        "measures/information.py",
        "inside = (k >= np.maximum(low, 1))",
        "inside = (k > np.maximum(low, 1))",
        (PEERS,),
    ),
    Mistake(
        "0/0 counted as 0",
        "_arrays.py",
        "return np.asarray(np.true_divide(numerator, denominator), dtype=np.float64)",
        "return np.nan_to_num(np.true_divide(numerator, denominator), posinf=np.inf)",
        (LAWS,),
    ),
    Mistake(
        "an undefined class that spoils a mean it has no weight in",
        "_arrays.py",
        "np.where(weights == 0, 0.0, values)",
        "values",
        (BAD,),
    ),
    Mistake(
        "rows and columns exchanged",
        "evidence/checks.py",
        "np.moveaxis(given, range(-lead, 0), range(lead))",
        "np.moveaxis(given, range(-1, -lead - 1, -1), range(lead))",
        (TABLE,),
    ),
    Mistake(
        "scikit-learn's orientation not turned",
        "evidence/table.py",
        'if rows == "real":\n            array = np.swapaxes(array, -1, -2)',
        'if rows == "real":\n            array = np.swapaxes(array, -1, -1)',
        (TABLE,),
    ),
    Mistake(
        "labels added by position",
        "evidence/table.py",
        "placed(held, at_p, at_r, (len(on_rows), len(on_columns)))",
        "placed(held, range(len(at_p)), range(len(at_r)), (len(on_rows), len(on_columns)))",
        (TABLE,),
    ),
    Mistake(
        "a stack added along the wrong axis",
        "evidence/cells.py",
        "np.reshape(held, (*classes, *ones, *own))",
        "np.reshape(held, (*own, *ones, *classes))",
        (TABLE,),
    ),
    Mistake("the caller's memory kept", "evidence/checks.py", "frozen(result.copy()) if", "result if", (TABLE,)),
    Mistake(
        "prevalence of the wrong class",
        "evidence/table.py",
        "if np.ndim(prevalence) == 0 and self.plus == 1:",
        "if False:",
        (TABLE,),
    ),
    Mistake(
        "abstentions that do not count as rows",
        "evidence/margins.py",
        "self.total + self.abstained.sum(axis=-1) + self.missing",
        "self.total + self.missing",
        (TABLE,),
    ),
    Mistake(
        "missing predictions that abstain in silence",
        "evidence/label_policy.py",
        'if is_answer and policy.missing == "abstain":',
        'if is_answer and policy.missing != "drop":',
        (f"{DOORS}::test_raters_refuse_what_tables_refuse",),
    ),
    Mistake(
        "an order of the alphabet that passes for known",
        "evidence/label_order.py",
        'return "two classes" if len(labels) <= 2 else None',
        'return "two classes"',
        (f"{DOORS}::test_what_is_known_of_an_order",),
    ),
    Mistake(
        "numerals sorted as text",
        "evidence/label_order.py",
        "return tuple(sorted(labels, key=values.__getitem__))",
        "return tuple(sorted(labels, key=str))",
        (f"{DOORS}::test_numbers_and_numerals_stand_by_value",),
    ),
    Mistake(
        "weights without their squares",
        "evidence/counting.py",
        '"squares": pairs(w2) if squared else None',
        '"squares": None',
        (TABLE,),
    ),
    Mistake(
        "a merge that forgets the other tally",
        "evidence/tally.py",
        "for part in other._parts:",
        "for part in other._parts[:0]:",
        (f"{TALLY}::test_workers_merge",),
    ),
    Mistake(
        "units of one look that count once",
        "evidence/units.py",
        "mult = sums(back, self.mult, len(first))",
        "mult = np.ones(len(first))",
        ("test_units.py::test_units_add_up_to_the_cells_after_every_operation",),
    ),
    Mistake(
        "answers to an item that each count one",
        "evidence/unit_counting.py",
        "return 1 / np.maximum(of_item, 1)[item], bool((of_item > 1).any())",
        "return np.ones(len(item)), bool((of_item > 1).any())",
        ("test_units.py::test_how_often_items_were_asked_is_known_after_every_operation",),
    ),
    Mistake(
        "text and numbers that look alike let through", "evidence/labels.py", "if other != label:", "if False:", (BAD,)
    ),
    Mistake(
        "scores taken for labels",
        "evidence/labels.py",
        "isinstance(label, (float, Decimal)) and not isinstance(label, Enum)",
        "False",
        (BAD,),
    ),
    Mistake(
        "negative counts let through",
        "evidence/checks.py",
        "~((array >= 0) & (array < np.inf))",
        "~(array < np.inf)",
        (BAD,),
    ),
    Mistake(
        "labels not escaped in HTML", "evidence/table_text.py", "<th>{escape(label)}</th>", "<th>{label}</th>", (TABLE,)
    ),
    Mistake(
        "labels not escaped in pictures",
        "documents/charts/svg.py",
        "{escape(said)}</text>",
        "{said}</text>",
        ("test_charts.py",),
    ),
    Mistake(
        "a name to the right, taken from the package",
        "measures/rates.py",
        "    return t.tp, t.rp",
        "    from informed import report\n\n    return t.tp, t.rp",
        (GUARD,),
    ),
    Mistake(
        "an import to the right, inside a function",
        "measures/rates.py",
        "    return t.tp, t.rp",
        "    from informed.summary.analysis import report\n\n    return t.tp, t.rp",
        (GUARD,),
    ),
    Mistake(
        "a fact: F1 as a share of what is real",
        "measures/overlap.py",
        "share=lambda t: (t.tp, t.tp + t.fp + t.fn),",
        "share=lambda t: (t.tp, t.tp + t.fn),",
        (f"{LAWS}::test_share",),
    ),
    Mistake(
        "a fact: the error rate rises with the hits",
        "measures/rates.py",
        "hits=-1,",
        "hits=1,",
        (f"{LAWS}::test_hits_with_given_margins",),
    ),
    Mistake(
        "a fact: a share that does not say so",
        "measures/registry.py",
        "share=function if self.is_share else self.share",
        "share=self.share",
        (f"{LAWS}::test_what_is_a_share_says_so",),
    ),
    Mistake(
        "a fact: purity without kinks",
        "measures/association.py",
        'largest=True, covered=0.0, refs=("manning2008"',
        'covered=0.0, refs=("manning2008"',
        (f"{LAWS}::test_largest_has_kinks_and_no_other_has",),
    ),
    Mistake(
        "a fact: Yule's Y without its root",
        "measures/association.py",
        "1 - ratio(2, np.sqrt(r) + 1)",
        "1 - ratio(2, r + 1)",
        (f"{LAWS}::test_functions_of_the_odds_ratio",),
    ),
    Mistake(
        "a fact: Delta TP about the positive class",
        "measures/chance.py",
        'classes="two", aka=("dtp",',
        'inverse=None, classes="two", aka=("dtp",',
        (f"{LAWS}::test_sided_is_what_changes_with_the_positive_class",),
    ),
    Mistake(
        "a fact: the slopes of kappa",
        "measures/slopes.py",
        "(hits.sum(axis=0) - 1) * share * share",
        "(hits.sum(axis=0) - 1) * share",
        (f"{LAWS}::test_slopes_are_those_of_the_measure",),
    ),
    Mistake(
        "a fact: bias as a matter of reality",
        "measures/diagnosis.py",
        'is_share=True, margins="predicted", aka',
        'is_share=True, margins="real", aka',
        (f"{LAWS}::test_functions_of_the_margins",),
    ),
    Mistake(
        "a fact: the Gilbert skill score about one side",
        "measures/chance.py",
        "gain + t.total * (b + c)",
        "gain + t.total * (b + b)",
        (f"{LAWS}::test_dual",),
    ),
    Mistake(
        "units are taken as uncorrelated",
        "inference/worth.py",
        "        spread = sums.spread * (1 - leverage / size) / (1 - leverage)\n",
        "        spread = cases\n",
        ("test_worth.py",),
    ),
    Mistake(
        "units are tested with a normal tail",
        "inference/unit_permutation.py",
        "return np.where(known, found, p)",
        "return p",
        ("test_significance.py::test_the_units_say_what_the_cases_are_worth_under_shuffling",),
    ),
    Mistake(
        "weights are worth the same to every measure",
        "inference/worth.py",
        "    expected = working(u, p, cells.sides)\n",
        "    expected = np.ones_like(u)\n",
        ("test_worth.py",),
    ),
    Mistake(
        "a failed assertion passes for an error of the provider",
        "sources/logs/promptfoo.py",
        'failed = row.get("failureReason") == ERROR',
        'failed = bool(row.get("error"))',
        ("test_tool_logs.py",),
    ),
    Mistake(
        "a grader that failed marks an answer wrong",
        "sources/logs/deepeval.py",
        'score = None if metric.get("error") else grade(metric.get("score"))',
        'score = grade(metric.get("score")) or 0.0',
        ("test_tool_logs.py",),
    ),
    Mistake(
        "few items that were ever solved are taken for all there are",
        "inference/marks_score.py",
        "spread(np.append(x, 0.5)[:, None]",
        "spread(np.append(x, x.mean())[:, None]",
        ("test_marks.py::test_all_of_four_attempts_holds_the_truth_where_few_items_are_ever_solved",),
    ),
    Mistake(
        "every attempt at an item counts, not the item",
        "evidence/marks.py",
        "share, _ = shares(inside.astype(np.float64), at)",
        "share = np.ones(len(at))",
        ("test_marks.py::test_more_attempts_at_an_item_do_not_give_it_more_weight",),
    ),
    Mistake(
        "no answer is a wrong one once attempts are reduced",
        "evidence/reducers.py",
        "none = silent == held.n",
        "none = silent < 0",
        ("test_marks.py",),
    ),
    Mistake(
        "a case that the grader failed on counts",
        "sources/logs/case.py",
        'return case.mark is not None if state == "error" else state not in UNCOUNTED',
        'return case.mark is not None if state == "error" else True',
        ("test_cases.py",),
    ),
    Mistake(
        "a silenced answer keeps its credit",
        "sources/logs/selection.py",
        "np.where(said, 0, mark)",
        "mark",
        ("test_log_readings.py",),
    ),
    Mistake(
        "trainings are attempts at the same items",
        "sources/logs/seeds.py",
        "attempt = place * EACH + ",
        "attempt = ",
        ("test_trainings.py",),
    ),
    Mistake(
        "what varies between trainings is left out",
        "systems/fold_pairs.py",
        "return np.maximum(items + seeds - answers, np.maximum(items, seeds))",
        "return items",
        ("test_trainings.py",),
    ),
    Mistake(
        "any number is a mark",
        "sources/logs/lm_eval.py",
        "if value < 0 or value > 1}",
        "if False}",
        ("test_log_readings.py",),
    ),
    Mistake(
        "a text that is no class stays a class",
        "sources/logs/selection.py",
        "    if closed and not foreign:",
        "    if closed and foreign:",
        ("test_marks.py::test_an_answer_that_is_no_class_is_no_answer_and_said",),
    ),
    Mistake(
        "an undefined system may lead",
        "systems/ranking.py",
        "last = known[:, None] & ~known",
        "last = ~known[:, None] & ~known",
        ("test_forecast_boards.py::test_an_undefined_system_cannot_lead_any_board",),
    ),
    Mistake(
        "what is ruined passes a gate",
        "decisions/probability_comparison.py",
        "low=gap, high=gap",
        "low=np.nan, high=np.inf",
        ("test_forecast_boards.py::test_gates_of_what_is_ruined_and_of_what_is_asked",),
    ),
    Mistake(
        "answers to one item draw classes of their own",
        "decisions/class_forecast.py",
        "h.units.item is None else h.units.item[there]",
        "h.units.item is None else None",
        ("test_class_probabilities.py::test_an_item_that_was_asked_often_has_one_class_in_the_draws",),
    ),
    Mistake(
        "slices of probabilities are cut after weights were shared",
        "decisions/probability_cases.py",
        "weight = self.weight if self.told is None else self.told\n        units",
        "weight = self.weight\n        units",
        ("test_forecast_boards.py::test_answers_to_one_item_in_two_slices_have_its_weight_in_each",),
    ),
    Mistake(
        "slices divide by the answered cases",
        "systems/slices.py",
        "headline(measure, count, silent)",
        'headline(measure, "answered", silent)',
        ("test_headline.py::TestOneMeaning",),
    ),
    Mistake(
        "items are compared above seeds of training",
        "cli/compare.py",
        'leads = over is not None and over.method != "items"',
        "leads = False",
        ("test_cli_folds.py",),
    ),
    Mistake(
        "tasks that stand for others have a normal quantile",
        "systems/suite.py",
        "np.full(len(mean), len(w) - 1.0)",
        "np.full(len(mean), np.inf)",
        ("test_suites.py::test_weights_and_random_tasks",),
    ),
    Mistake(
        "rows of one rated item each count as a whole one",
        "systems/rated.py",
        "        return share\n",
        "        return np.ones(len(share))\n",
        ("test_raters.py::test_items_rated_twice_alike_say_no_more",),
    ),
    Mistake(
        "recall and fallout of a judge vary by cases, not by units",
        "systems/judge_rates.py",
        "totals * ratio(found.effective_n, found.n), np.asarray(df), _between(t))",
        "totals, np.asarray(df), None)",
        ("test_judge.py::test_a_calibration_that_was_asked_twice_says_no_more",),
    ),
    Mistake(
        "the verdicts of a batch are known without error",
        "systems/judge_strata.py",
        "+ between) for x in (below, above)",
        ") for x in (below, above)",
        ("test_judge_batch.py::test_rates_are_those_of_r",),
    ),
    Mistake(
        "rows of a judged batch are independent, whatever they belong to",
        "systems/judge_batch.py",
        "        if b.unit is None or b.rows is None:\n",
        "        if b.rows is not None:\n",
        ("test_judge_batch.py::test_clusters_are_those_of_the_method",),
    ),
    Mistake(
        "labels elsewhere are used though the judge has drifted",
        "systems/judge_both.py",
        "return self.pvalue < DRIFTED",
        "return False",
        ("test_judge_batch.py::test_labels_here_and_elsewhere_and_the_drift_between_them",),
    ),
    Mistake(
        "a system that says the same again counts as asked again in a pair",
        "evidence/paired_epochs.py",
        "each if differ else np.ones(items)",
        "each",
        ("test_asked_twice.py::test_a_system_asked_more_often_than_another_is_no_other_system",),
    ),
    Mistake(
        "a system that says the same again counts as asked again on a board",
        "systems/item_effects.py",
        "np.where(_differ(p.codes, item, items), np.maximum(times, 1), 1)",
        "np.maximum(times, 1)",
        ("test_asked_twice.py::test_the_same_answer_again_changes_no_number",),
    ),
    Mistake(
        "a table at a threshold takes the wrong side of its units",
        "decisions/scored_units.py",
        "for held in (self.own[case], called)]",
        "for held in (called, self.own[case])]",
        ("test_roc_units.py",),
    ),
    Mistake(
        "ratios are subtracted",
        "systems/scale.py",
        'return RATIO if relative or m.facts.scale == "log" else DIFFERENCE',
        "return DIFFERENCE",
        ("test_compare_ratios.py::test_the_ratio_of_the_two_is_shown",),
    ),
]

NO_MISTAKE = "no mistake"
WORKERS = 2
# The tests as in `make test`, without what only costs time here: doctests and other processes.
OPTIONS = ["-x", "-q", "--no-header", "--import-mode=importlib", "-W", "error"]
OPTIONS += ["-p", "no:cacheprovider", "-p", "no:doctest", "-p", "no:xdist"]

# Each mistake has a process of its own, forked from one that has imported what all of them need.
OPTIONS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
PROCESSES = multiprocessing.get_context("forkserver")
NEEDED = ["pytest", "hypothesis", "sybil", "numpy", "scipy.stats", "scipy.optimize", "scipy.sparse"]
PROCESSES.set_forkserver_preload([*NEEDED, "duckdb", "narwhals", "pandas"])


def caught(mistake: Mistake, workspace: Path) -> tuple[str, ...]:
    """The test that fails on a copy of the source with the mistake in it; all, where they cannot be collected."""
    path = workspace / "informed" / mistake.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mistake.old, mistake.new, 1), encoding="utf-8")
    paths = f"pythonpath={workspace} {ROOT / 'tests'}"
    files = [str(ROOT / "tests" / name) for name in mistake.tests]
    said, failed = workspace / "said.txt", workspace / "failed.txt"
    failed.write_text("", encoding="utf-8")
    arguments = ["-o", "addopts=", "-o", paths, *OPTIONS, *files]
    process = PROCESSES.Process(target=run, args=(arguments, said, failed))
    process.start()
    process.join()
    shutil.copy2(ROOT / "src" / "informed" / mistake.file, path)
    code, told = process.exitcode, said.read_text(encoding="utf-8", errors="replace")
    if code not in (0, 1, 2):
        raise SystemExit(f"{mistake.what}: pytest could not run\n{told}")
    if code == 2 and str(workspace) not in told:
        raise SystemExit(f"{mistake.what}: pytest stopped\n{told}")
    if code and mistake.what == NO_MISTAKE:
        print(told[-2000:])
    names = tuple(failed.read_text(encoding="utf-8").splitlines())
    return names or (mistake.tests if code else ())


def run(arguments: list[str], said: Path, failed: Path) -> None:
    """The tests, in a process that is made for them and ends with their code."""
    import pytest

    class Failures:
        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            if report.failed:
                failed.write_text(report.nodeid.removeprefix("tests/"), encoding="utf-8")

    with said.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    os.chdir(ROOT)
    sys.exit(int(pytest.main(arguments, plugins=[Failures()])))


def tried(mistakes: list[Mistake]) -> Iterator[tuple[Mistake, tuple[str, ...]]]:
    """Each mistake and the tests that caught it, several at a time, each in a copy of its own."""
    free: queue.SimpleQueue[Path] = queue.SimpleQueue()

    def one(mistake: Mistake) -> tuple[str, ...]:
        workspace = free.get()
        try:
            return caught(mistake, workspace)
        finally:
            free.put(workspace)

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(WORKERS) as pool:
        for number in range(WORKERS):
            free.put(Path(shutil.copytree(ROOT / "src", Path(folder) / str(number))))
        yield from zip(mistakes, pool.map(one, mistakes), strict=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="words of the mistakes to try")
    wanted = parser.parse_args().only
    started = time.perf_counter()
    chosen = [m for m in MISTAKES if wanted in m.what]
    stale = [m.what for m in chosen if not applies(m)]
    if stale or not chosen:
        print("Not in the source any more:", *stale, sep="\n- ")
        return 1

    missed, catchers = 0, dict[str, None]()
    for mistake, found in tried(chosen):
        missed += not found
        catchers |= dict.fromkeys(found)
        print(f"{'caught' if found else 'MISSED'}  {mistake.what}", flush=True)

    # Without any mistake the tests that failed must pass, or a catch says nothing.
    shares = [tuple(catchers)[i::WORKERS] for i in range(min(WORKERS, len(catchers)))]
    for mistake, found in tried([Mistake(NO_MISTAKE, "errors.py", "", "", names) for names in shares]):
        if found:
            print("One of these fails without any mistake:", *mistake.tests, sep="\n- ")
            return 1

    seconds = time.perf_counter() - started
    print(f"{len(chosen) - missed} of {len(chosen)} caught in {seconds:.0f} s")
    return 1 if missed else 0


def applies(mistake: Mistake) -> bool:
    """Whether the text that a mistake replaces is still in the source."""
    source = (ROOT / "src" / "informed" / mistake.file).read_text(encoding="utf-8")
    return mistake.old in source


if __name__ == "__main__":
    sys.exit(main())
