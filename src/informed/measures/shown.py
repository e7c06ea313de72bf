"""Which measures are shown where: the only lists of them."""

CORE = ("informedness", "markedness", "correlation")
CORRECTED = (*CORE, "cohen_kappa")  # for chance: what a simulation and a picture compare
TRADITIONAL = ("accuracy", "recall", "precision", "f1")

RATES = ("recall", "inverse_recall", "precision", "inverse_precision")
MEANS = ('precision(average="macro")', 'f1(average="macro")')

# A report, after `CORE`
OF_TWO = ("accuracy", "balanced_accuracy", *RATES, "f1", "cohen_kappa")
OF_MANY = ("accuracy", 'recall(average="macro")', *MEANS, "cohen_kappa", "matthews")
# Of tables whose sides have labels of their own
OF_CLUSTERS = ("normalized_mutual_information", "adjusted_rand_index", "cramers_v", "lambda_real", "purity")

OF_GRADES = ("informedness_ordinal", "markedness_ordinal", "correlation_ordinal", "somers_d")  # labels in a known order
OF_ALL = ("informedness_of_all", "accuracy_of_all", "coverage")  # first, where some abstained
MATTER = (*OF_ALL, *CORE, "accuracy", "recall", "precision", "f1", MEANS[1])  # on one screen
RATIOS = ("lr", "nlr")  # likelihood ratios
IN_CLINIC = ("informedness", *RATES, *RATIOS)  # and what clinicians look for first
WITH_ABSTENTIONS = ("coverage", "informedness", "informedness_discounted", "informedness_of_all")
IN_CLASS = ("recall", "fallout", "precision", "informedness", "markedness")
OF_CLASS = ("prevalence", "bias", *IN_CLASS)
TOLD_OF_CLASS = ("recall", "precision", "informedness", "markedness")
TESTED = (*CORE, "matthews", "accuracy", "cohen_kappa", "informedness_of_all", "accuracy_of_all")

# Another prevalence
ELSEWHERE = ("precision", "f1", "accuracy", "informedness", "inverse_precision")  # the last is not drawn
ELSEWHERE_OF_MANY = ("accuracy", *MEANS, "informedness")
BY_PREVALENCE = ("informedness", "markedness", "precision", "f1", "accuracy")

# Two systems
COMPARED = ("informedness", "markedness", "matthews", "cohen_kappa", "accuracy")
COMPARED_SIDED = (*RATES, "f1")
RELATIVE = (*RATES, *RATIOS)  # one system's over the other's
RELATIVE_UNSIDED = ("accuracy", "balanced_accuracy")

# Decisions
CHOSEN = ("informedness", "recall", "inverse_recall", "fallout", "precision", "accuracy")  # by a threshold
AT_THRESHOLD = ("informedness", "markedness", "accuracy", "f1", "recall", "precision", "fallout")
AT_POINT = ("recall", "fallout", "precision", "informedness")
RECOVERED = ("informedness", "markedness", "accuracy", "f1", "matthews", "prevalence", "bias")
OF_ASSIGNMENT = ("adjusted_rand_index", "adjusted_mutual_information", "v_measure", "fowlkes_mallows_pairs", "purity")

TRIED = ("informedness", "matthews", "cohen_kappa", "f1", "accuracy")  # beside a measure that is tried out

# The lab: what three of determine a table
OF_ONE_SIDE = ("prevalence", "bias", "recall", "inverse_recall", "fallout", "precision", "inverse_precision")
IN_LAB = (*OF_ONE_SIDE, "accuracy", "f1", "informedness", "markedness", "matthews", "cohen_kappa")

IN_SPREADSHEET = {  # of the 2003 paper: the measure, as its script calls it
    "recall": "recall",
    "inverse_recall": "inverseRecall",
    "precision": "precision",
    "inverse_precision": "inversePrecision",
    "accuracy": "accuracy",
    "f1": "f",
    "inverse_f1": "inverseF",
    "av_f(weights='bias')": "avF",
    "g_measure": "g",
    "inverse_g": "inverseG",
    "av_g(weights='bias')": "avG",
    "informedness": "informedness",
    "markedness": "markedness",
}
OF_VERIFIED_TWO = (  # of cases of which only some were verified
    *("informedness", "markedness", "recall", "inverse_recall", "fallout", "precision", "inverse_precision"),
    *("accuracy", "matthews"),
)
OF_VERIFIED_UNNAMED = ("informedness", "markedness", "accuracy", "matthews")  # none of two classes is positive
OF_VERIFIED = ("informedness", "markedness", "accuracy", "recall", "precision")
