"""What `judge` does with a file: columns of verdicts and gold, or a table of both."""

from __future__ import annotations

from typing import Any

from informed.errors import InferenceError, SourceError

OPENING = ("delimiter", "input_format", "query", "table", "where")
LABELLING = ("positive", "labels", "normalize")
OF_COLUMNS = ("ident", "more", "seed")  # what names the answers to label next


def judged_file(file: str, options: dict[str, Any], how: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The rate of a file in which some cases have a gold label, and what its page is told."""
    from informed import judge
    from informed.documents.pages.judged_batch import ROWS
    from informed.sources.columns import columns
    from informed.systems.judge_columns import named

    _refuse(options, ("apparent", "n"), "--verdict and --gold are of the whole batch, and count its verdicts")
    if options["design"] is not None and designed(options["design"]) == "elsewhere":
        raise SourceError("--verdict and --gold are of the same batch; elsewhere there are --predicted and --real.")
    if not options["verdict"]:
        raise SourceError("--verdict is missing: which column has what the judge said?")
    taken = (*OPENING, *LABELLING, "unit")
    if "item" in how:
        raise SourceError("Answers to one item belong together: name its column with --unit.")
    for name in how:
        if name not in taken:
            raise SourceError(f"--{name.replace('_', '-')} does not go with --verdict and --gold.")
    opening = {name: how[name] for name in OPENING if name in how}
    gold, ident, unit = options["gold"], options["ident"], how.get("unit")
    asked = ident is not None or options["more"] is not None
    if options["seed"] is not None and not asked:
        raise SourceError("--seed draws the answers to label next: say with --more how many.")
    wanted = [x for x in (*options["verdict"], gold) if x]
    if len(set(wanted)) < len(wanted):
        raise SourceError("Every --verdict and --gold is another column.")
    numbered = asked and ident is None
    every = list(dict.fromkeys([*wanted, *(x for x in (unit, ident) if x)]))
    held = columns(file, every, numbered=numbered, **opening)

    verdict: Any = {name: held[name] for name in options["verdict"]}
    given: dict[str, Any] = {"verdict": verdict if len(verdict) > 1 else held[options["verdict"][0]]}
    given["gold"] = named(held[gold], gold) if gold else None
    if unit:
        given["unit"] = named(held[unit], unit)
    given |= {name: how[name] for name in LABELLING if name in how}
    if options["elsewhere"]:
        given["elsewhere"] = _elsewhere(options, how)
    if options["design"] is not None:
        given["design"] = designed(options["design"])
    found = judge(**given, target=options["target"], level=options["level"])
    told = {"reach": options["reach"], "more": options["more"], "rng": options["seed"]}
    told["ids"] = held[ident] if ident else ROWS if numbered else None
    return found, {name: x for name, x in told.items() if x is not None}


def _elsewhere(options: dict[str, Any], how: dict[str, Any]) -> Any:
    """The table of labels elsewhere, in columns of the same names."""
    from informed.cli._options import one_table

    if len(options["verdict"]) != 1 or not options["gold"]:
        raise SourceError("--elsewhere goes with one --verdict and --gold.")
    same = {"predicted": options["verdict"][0], "real": options["gold"]}
    asked: dict[str, Any] = {
        name: how[name] for name in ("positive", "labels", "normalize", "delimiter") if name in how
    }
    return one_table(options["elsewhere"], {**asked, **same}, "A judge is calibrated elsewhere")


def judged_table(file: str, options: dict[str, Any], how: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The rate by a table of labelled cases and what the judge said of others or of all."""
    from informed import judge
    from informed.cli._options import one_table
    from informed.sources.files import said_of_log

    _refuse(options, OF_COLUMNS, "which answers to label next is said of a file with --verdict and --gold")
    if options["apparent"] is None:
        if log := said_of_log([file], file):
            raise SourceError(f"{file} has no columns of verdicts and gold labels. {log}")
        raise SourceError(
            "Give --verdict and --gold of a file that has every case of the batch; or --apparent, what the judge says "
            "of others, with --design elsewhere."
        )
    t = one_table(file, how, "A judge is asked")
    given = apparent(options["apparent"])
    if isinstance(given, float) and len(t.labels) == 2 and t.positive is None:
        raise InferenceError(
            f"A share needs --positive LABEL: of which of {' and '.join(map(repr, t.labels))} is it the share?"
        )
    design = options["design"] and designed(options["design"])
    more: dict[str, Any] = {"design": design, "target": options["target"], "level": options["level"]}
    if options["elsewhere"]:
        more["elsewhere"] = one_table(options["elsewhere"], how, "A judge is calibrated elsewhere")
    found = judge(t, given, options["n"], **more)
    return found, {} if options["reach"] is None else {"reach": options["reach"]}


def _refuse(options: dict[str, Any], names: tuple[str, ...], said: str) -> None:
    for name in names:
        if options[name] is not None:
            raise SourceError(f"--{'id' if name == 'ident' else name}: {said}.")


def designed(text: str) -> str:
    """A design as Python calls it; the shell likes no spaces."""
    return text.replace("-", " ")


def apparent(text: str) -> float | dict[str, float]:
    """A share, or a count for each label."""
    try:
        if "=" not in text:
            return float(text)
        pairs = [part.rpartition("=") for part in text.split(",")]
        return {label: float(number) for label, _, number in pairs}
    except ValueError:
        raise InferenceError(
            f"--apparent is {text!r}; it can be counts such as good=120,bad=80, or elsewhere a share such as 0.31."
        ) from None
