"""The commands, and what each is for."""

COMMANDS = {  # the name, which its module has too (sample_size): what `informed --help` says
    "report": "How much better than guessing: the full report of a file or log.",
    "table": "The report of counts typed in, e.g. 56 20 / 12 12.",
    "compare": "Is one system better than another, or is it luck?",
    "watch": "Stop when you know: a run that is still going on, looked at at any time.",
    "describe": "What an evaluation log holds, and the command for each choice.",
    "agree": "How much raters agree beyond chance.",
    "judge": "The true rate behind the verdicts of a noisy judge.",
    "verify": "Systems graded by a judge, or a table, when people saw only some cases.",
    "roc": "A score at every threshold: its area, and which threshold to use.",
    "sample-size": "How many cases, or items, it takes to show an informedness.",
    "assign": "Names for clusters, and what naming them is worth.",
    "odds": "Fair odds, and what predictions win at them.",
    "recover": "Every table that agrees with published figures, or proof of none.",
    "lab": "The lab in the browser: tables to play with, files, a tour.",
    "measures": "The catalogue of measures, or one of them.",
    "simulate": "Random tables of known truth: judge measures, intervals, tests.",
    "reproduce": "The figures and tables of the papers, drawn again.",
    "errata": "What the papers print beside what it should be.",
    "claims": "The papers' empirical claims, run again, each with a verdict.",
}
