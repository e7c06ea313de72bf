"""What the gallery shows: each kind of page with the command that writes it, and each kind of chart."""

from __future__ import annotations

import re
from dataclasses import dataclass

CANCER = "examples/breast-cancer.csv --real diagnosis"
TREE = f"{CANCER} --predicted tree --positive malignant"
TWO = f"{CANCER} --predicted logistic --predicted tree --positive malignant"
REVIEWS = (
    "examples/reviews.csv examples/reviews-new.csv examples/reviews-old.csv --real label --predicted answer --on id"
)
SCORE = f"{CANCER} --score score --positive malignant"
GRADED = "examples/graded-systems.csv --verdict atlas_judge --gold atlas_human --verdict birch_judge --gold birch_human"
FILMS = "examples/films.csv --real tags --separator ';'"
RAIN = "examples/forecasts.csv --real rain --positive yes"
LINE = 42  # characters, beside a picture
SETUP = """\
>>> import informed
>>> from informed.decisions.costs import cost_curve, decision_curve
>>> from informed.decisions.rejection import reject_curve
>>> wanted = {"real": "diagnosis", "positive": "malignant"}
>>> t = informed.read("examples/breast-cancer.csv", predicted="tree", **wanted)
>>> curve = informed.roc(informed.read("examples/breast-cancer.csv", score="score", **wanted))
"""


@dataclass(frozen=True)
class Shown:
    """A page, and what writes it: words of the command line, or an expression of Python."""

    name: str
    title: str
    says: str
    command: str = ""
    python: str = ""

    @property
    def typed(self) -> str:
        if self.python:
            return f'{self.python}.save("{self.name}.html")'
        return f"informed {self.command} -o {self.name}.html"

    @property
    def folded(self) -> str:
        """As it is typed, an option or two a line."""
        words = re.split(r" (?=-{1,2}[a-z])", self.typed)
        lines = [words[0]]
        for word in words[1:]:
            if len(lines[-1]) + len(word) < LINE:
                lines[-1] += f" {word}"
            else:
                lines.append(f"  {word}")
        return " \\\n".join(lines)


@dataclass(frozen=True)
class Drawn:
    """A chart: the page that has it, by its name, and what the page calls it."""

    name: str
    title: str
    says: str
    page: str
    label: str


SECTIONS: dict[str, tuple[Shown, ...]] = {
    "One system": (
        Shown(
            "report",
            "Report",
            "Two classes: the answer, the table, the measures, and what would change elsewhere.",
            f"report {TREE}",
        ),
        Shown(
            "classes",
            "Report of many classes",
            "Ten digits: which are known, and which confusion costs most.",
            "report examples/digits.csv --real digit --predicted predicted",
        ),
        Shown(
            "groups",
            "Report of groups",
            "A table for each fold (site, language): do they differ, and which is worst?",
            f"report {TREE} --by fold",
        ),
        Shown(
            "scored",
            "Report with scores",
            "A threshold, costs and another prevalence; a slider over all thresholds.",
            f"report {SCORE} --threshold 0.4 --cost 5:1 --prevalence 0.05",
        ),
        Shown(
            "tags",
            "Report of tags",
            "Films of several genres each: what is known of them, and what micro averages would say.",
            f"report {FILMS} --predicted new",
        ),
        Shown(
            "grades",
            "Report of grades",
            "Labels in an order: what is known of the distance, near misses and far misses.",
            "report examples/triage.csv --real urgency --predicted new --labels none,low,high,acute",
        ),
        Shown(
            "clinical",
            "Report for clinicians",
            "A diagnostic test in its own words: sensitivity, specificity, predictive values, Youden's J.",
            f"report {TREE} --against sensitivity.greater=0.8 --terms clinical",
        ),
        Shown("counts", "Report of counts", "Four numbers of a paper or a dashboard.", "table 56 20 / 12 12"),
    ),
    "Evaluations of language models": (
        Shown(
            "marks",
            "Report of marks",
            "Marks instead of classes: the score, its interval, repeated attempts.",
            "report tests/samples/inspect_ai/epochs.eval --marks",
        ),
        Shown(
            "suite",
            "Suite",
            "Models on many tasks: the mean over them, and each task.",
            "compare a=tests/samples/cases/lm_eval/org__model-a b=tests/samples/cases/lm_eval/org__model-b",
        ),
        Shown(
            "marks-compared",
            "Two systems by their marks",
            "On the same items, item by item.",
            "compare tests/samples/promptfoo/sentiment13.csv --marks",
        ),
        Shown(
            "watch",
            "A watched run",
            "Money over time, the interval that closes, and where the rule stops it.",
            'watch examples/run.jsonl --real diagnosis --predicted logistic --other tree --stop "better or worse"',
        ),
        Shown(
            "watched-systems",
            "Systems, watched",
            "Many systems at one look, before the end: who is shown to be better than guessing.",
            "watch examples/run.jsonl --real diagnosis --predicted logistic --predicted tree --predicted guess",
        ),
        Shown(
            "judge",
            "Judge",
            "The true rate of answers that a judge graded and people in part, and what to label next.",
            "judge examples/graded-answers.csv --verdict judge --gold human --positive good --unit question",
        ),
        Shown(
            "judge-elsewhere",
            "Judge from elsewhere",
            "The rate behind the verdicts of a judge whose recall and fallout are known from other cases.",
            f"judge {TREE} --design elsewhere --apparent 0.31 --n 2000",
        ),
        Shown(
            "judged-difference",
            "Two systems, one judge",
            "What is true, what the judge says, and whom it favours.",
            f"verify {GRADED} --positive good",
        ),
        Shown(
            "judged-systems",
            "Many systems, one judge",
            "Every difference corrected, and the true rates beside those of the judge.",
            f"verify {GRADED} --verdict cedar_judge --gold cedar_human --positive good",
        ),
        Shown(
            "verified",
            "A partly verified table",
            "Recall, informedness and the rest, when people saw only some of the cases.",
            "verify examples/comments.csv --predicted filter --judge judge --gold human --positive toxic",
        ),
        Shown(
            "verified-difference",
            "Two systems, partly verified",
            "The difference of their informedness on the same cases.",
            "verify examples/comments.csv --predicted filter --predicted judge --gold human --positive toxic",
        ),
    ),
    "Several systems": (
        Shown(
            "compare", "Comparison", "Is one better than the other, or was it luck? By every measure.", f"compare {TWO}"
        ),
        Shown(
            "tags-compared",
            "Two systems by their tags",
            "On the same films; by every average, each beside what guessing gets.",
            f"compare {FILMS} --predicted new --predicted old",
        ),
        Shown(
            "leaderboard",
            "Leaderboard",
            "More than two: who may be the best, and which cannot be told apart.",
            f"compare {TWO} --predicted bayes --predicted neighbours --predicted majority",
        ),
        Shown(
            "folds",
            "Folds",
            "Trained and tested fold by fold: a difference that would return in another training.",
            f"compare {TWO} --fold fold",
        ),
        Shown(
            "data-sets",
            "Systems over data sets",
            "Mean ranks, with the critical difference.",
            f"compare {TWO} --predicted bayes --predicted neighbours --fold fold --design data-sets",
        ),
        Shown(
            "slices",
            "Slices",
            "By language (or site): where does the better one lose?",
            f"compare {REVIEWS} --by language",
        ),
        Shown(
            "surest",
            "Only the surest",
            "What each gains by leaving its unsure cases to somebody else.",
            f"compare {REVIEWS} --score sure",
        ),
        Shown(
            "raters",
            "Raters",
            "How much they agree beyond chance, and what each knows of the others.",
            "agree examples/breast-cancer.csv --raters logistic,tree,bayes",
        ),
        Shown(
            "raters-measured",
            "Ratings that measure",
            "Intraclass correlations of three forecasters: one-way and two-way, agreement and consistency.",
            "agree examples/forecasts.csv --raters new,old,almanac --icc",
        ),
    ),
    "Scores and decisions": (
        Shown("roc", "ROC", "A score at every threshold: its area, which threshold to use, a slider.", f"roc {SCORE}"),
        Shown(
            "inverted",
            "A score turned round",
            "Where its curve lies below its hull, mirrored, with a warning; or as a whole (perverse).",
            f"roc {CANCER} --score case --positive malignant --invert hull",
        ),
        Shown(
            "curves",
            "Several curves",
            "One score in several groups, or several scores on the same cases.",
            f"roc {SCORE} --by fold",
        ),
        Shown(
            "probabilities",
            "Probabilities",
            "What trusting them is worth, whether they rank, and whether they are right.",
            f"report {RAIN} --probability old --cost 5:1 --by season",
        ),
        Shown(
            "class-probabilities",
            "Probabilities of several classes",
            "Of the whole, class by class, and of the surest label.",
            "report examples/forecasts.csv --real sky --probability 'sky_*'",
        ),
        Shown(
            "probabilities-compared",
            "Systems by their probabilities",
            "Whose are worth more on the same cases, what each knows and loses, and by season.",
            f"compare {RAIN} --probability new --probability old --probability almanac --by season",
        ),
        Shown(
            "winnings",
            "What predictions win",
            "At fair odds, guessing wins nothing. Change a count and see.",
            "odds 56 24 / 14 6",
        ),
        Shown("odds", "Fair odds", "Of classes that come this often, in every notation.", "odds 0.7 0.3"),
        Shown(
            "models",
            "Four bettors",
            "One guesses, one knows, one knows a little, one says the opposite.",
            "odds --models",
        ),
        Shown(
            "assignment",
            "Names for clusters",
            "Which class each cluster is, and what naming wins by itself.",
            "assign examples/digits.csv --real digit --predicted predicted",
        ),
    ),
    "Planning and checking": (
        Shown(
            "plan", "How many cases", "What it takes to show an informedness of .3.", "sample-size 0.3 --prevalence 0.2"
        ),
        Shown(
            "recovered",
            "What a publication implies",
            "Every table that agrees with three printed figures.",
            "recover -n 100 recall=0.82 precision=0.74 accuracy=0.68",
        ),
        Shown(
            "simulation",
            "Monte Carlo",
            "Measures, intervals and tests on tables whose truth is known.",
            "simulate --k 2 --n 60 --levels 0,0.5 --replicates 500",
        ),
        Shown(
            "tried",
            "A measure of your own",
            "Does it reward guessing? Beside the usual measures.",
            "simulate --try examples.my_measures:gmean --measures informedness,accuracy --replicates 200",
        ),
        Shown(
            "measure",
            "A measure",
            "What it is, by its formula, names, bounds and chance level.",
            "measures informedness",
        ),
        Shown("measures", "All measures", "The catalogue in one table.", "measures"),
        Shown("reproduced", "A table of the papers", "Made again, by its own data.", "reproduce table-2"),
        Shown("errata", "Errata", "What the papers print beside what it should be.", "errata"),
    ),
    "From Python": (
        Shown("interval", "Interval", "One measure.", python='informed.interval(t, "informedness")'),
        Shown(
            "intervals",
            "Intervals",
            "Several measures.",
            python='informed.interval(t, ["informedness", "f1", "recall"])',
        ),
        Shown(
            "intraclass",
            "Intraclass correlation",
            "One of the six, with its F test.",
            python=('informed.intraclass_correlation({"ann": [12, 9, 11, 7], "bob": [12, 8, 11, 9]})["ICC(2,1)"]'),
        ),
        Shown("test", "Test", "A p-value, with what it is evidence against.", python="informed.test(t)"),
        Shown("curve", "A curve by itself", "Its area, its plane, its hull.", python="curve"),
        Shown(
            "threshold",
            "Threshold",
            "The one to use where a miss costs five false alarms.",
            python='informed.threshold(curve, cost="5:1")',
        ),
        Shown(
            "cost-curve",
            "Cost curve",
            "What a case costs at every mix of classes and costs.",
            python="cost_curve(curve)",
        ),
        Shown(
            "decision-curve",
            "Decision curve",
            "The net benefit at every threshold probability.",
            python="decision_curve(curve)",
        ),
        Shown(
            "coverage",
            "Coverage",
            "What leaving the doubtful cases without an answer gains.",
            python="reject_curve(curve)",
        ),
        Shown(
            "abstention",
            "Abstention",
            "What no answer costs, by label.",
            python='informed.abstention(informed.read("tests/samples/openai_evals/match.jsonl"))',
        ),
    ),
}

CHARTS = (
    Drawn(
        "matrix",
        "Confusion matrix",
        "Counts, shaded by how far they are from chance.",
        "report",
        "Heat map of the table",
    ),
    Drawn(
        "plane",
        "ROC plane",
        "The height above the diagonal is informedness; the cross is made of the intervals of recall and fallout.",
        "report",
        "ROC plane",
    ),
    Drawn(
        "prevalence",
        "Prevalence",
        "What would be measured where the classes are rarer or more common.",
        "report",
        "Picture of prevalence",
    ),
    Drawn("power", "Power", "What so many cases show.", "report", "Power curve"),
    Drawn("money", "Money over time", "What a bettor makes of a run.", "watch", "Money over time"),
    Drawn("closing", "The interval closes", "Valid at every look.", "watch", "The interval closes"),
    Drawn("by-class", "Classes", "What is known of each.", "classes", "Picture of classes"),
    Drawn("cuts", "Cuts between grades", "The area is what is known.", "grades", "Informedness by cuts"),
    Drawn("distances", "Near and far misses", "Beside shuffled ones.", "grades", "Predictions by distance"),
    Drawn("by-group", "Groups", "With their intervals, sorted.", "groups", "Picture of groups"),
    Drawn("small", "Small multiples", "The tables of the groups.", "groups", "Tables of the groups"),
    Drawn("differences", "Differences", "By every measure, with p-values.", "compare", "Differences, logistic − tree"),
    Drawn(
        "places",
        "Places",
        "That a system may have.",
        "leaderboard",
        "Places that a system may have; bars join those that cannot be told apart",
    ),
    Drawn(
        "ranks",
        "Critical difference",
        "Mean ranks over data sets.",
        "data-sets",
        "Mean ranks; bars join systems within the critical difference",
    ),
    Drawn("roc-curve", "ROC curve", "With its band and its hull.", "roc", "ROC plane"),
    Drawn("slider", "Slider", "The table at every threshold.", "roc", "Slider over the thresholds"),
    Drawn("costs", "Cost curve", "At every mix of classes and costs.", "roc", "Cost curve"),
    Drawn("benefit", "Decision curve", "The net benefit.", "roc", "Decision curve"),
    Drawn(
        "answered",
        "Coverage",
        "Informedness, where only the sure cases are answered.",
        "roc",
        "Coverage and informedness",
    ),
    Drawn(
        "reliability",
        "Reliability diagram",
        "The share of positives by probability (isotonic regression), over the diagonal, with the band of right ones.",
        "probabilities",
        "Reliability diagram",
    ),
    Drawn(
        "known-and-lost",
        "Known and lost",
        "Discrimination against miscalibration, a point a system; along the lines skill is equal.",
        "probabilities-compared",
        "Known and lost, by the Brier score",
    ),
    Drawn(
        "worth",
        "Worth by cost",
        "What acting saves, by the probability from which one acts; at the prevalence it is informedness.",
        "probabilities-compared",
        "Worth by cost",
    ),
    Drawn("risk", "Risk and coverage", "What answering the surest cases only gains.", "surest", "Risk–coverage curve"),
    Drawn("agreement", "Agreement", "Coefficients beside each other.", "raters", "Coefficients of agreement"),
)
