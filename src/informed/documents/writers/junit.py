"""JUnit XML for what reads it (GitLab, Jenkins, GitHub): each gate is a test case."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from informed.documents.document import Document
from informed.documents.writers import writer

_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@writer("junit", suffixes=(".xml",), media="application/xml", title="JUnit XML")
def junit(document: Document) -> str:
    """A suite of the gates; without gates, one case that the document was made."""
    cases = [(g.name, "" if g else g.verdict, g.sentence) for g in document.gates]
    cases = cases or [("report", "", document.said)]
    failed = sum(bool(verdict) for _, verdict, _ in cases)
    title = _attribute(document.title)
    counts = f'tests="{len(cases)}" failures="{failed}" errors="0" skipped="0"'
    body = "".join(_case(*case) for case in cases)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites name="informed" {counts}>\n<testsuite name={title} {counts}>\n'
        f"{body}</testsuite>\n</testsuites>\n"
    )


def _case(name: str, verdict: str, sentence: str) -> str:
    """A test case; where its gate does not hold, a failure of the type that is its verdict."""
    start = f'<testcase classname="informed" name={_attribute(name)}'
    if not verdict:
        said = escape(_NO_XML.sub("�", sentence))
        return f"{start}><system-out>{said}</system-out></testcase>\n"
    return f"{start}><failure type={_attribute(verdict)} message={_attribute(sentence)}/></testcase>\n"


def _attribute(said: str) -> str:
    return quoteattr(_NO_XML.sub("�", " ".join(said.split())))
