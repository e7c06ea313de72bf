"""The papers' names find what the papers mean by them."""

from __future__ import annotations

import pytest

import informed
from informed import InformedError, find
from informed.measures.registry import ALIASES, MEASURES

MEANT = {  # as printed: what it is said to be, and where
    "DeltaP'": "informedness",  # A/(A+C) − B/(B+D) = DeltaP' = Informedness (18)
    "DeltaP’": "informedness",
    "DeltaP′": "informedness",
    "DeltaP": "markedness",  # A/(A+B) − C/(C+D) = DeltaP = Markedness (17)
    "Deltap": "markedness",
    "PS+": "f1",  # "just as well known as PS+ in statistics, being the Proportion of Specific agreement"
    "PS-": "inverse_f1",  # "used in conjunction with PS-"
    "PS−": "inverse_f1",
    "LR+": "lr",
    "LR-": "nlr",
    "Bookmaker": "informedness",
    "Bookmaker Informedness": "informedness",
    "Youden's J": "informedness",
    "Gini": "informedness",
    "Markedness": "markedness",
    "Matthews Correlation": "matthews",
    "Correlation": "correlation",
    "BMG": "correlation",
    "BookMarkG": "correlation",
    "r_G": "correlation",  # (19)
    "BookMark": "determination",
    "dtp": "delta_tp",
    "dp": "delta_tp",
    "Determinant": "delta_tp",
    "Rand Accuracy": "accuracy",
    "Wav": "accuracy",  # "Rank [Rand] Weighted Average", Fig. 2
    "Sensitivity": "recall",
    "tpr": "recall",
    "Specificity": "inverse_recall",
    "IRecall": "inverse_recall",
    "Inverse Recall": "inverse_recall",
    "Confidence": "precision",
    "tpa": "precision",
    "True Positive Accuracy": "precision",
    "Inverse Precision": "inverse_precision",
    "IPrecision": "inverse_precision",
    "Fallout": "fallout",
    "Dice": "f1",
    "F-factor": "f1",
    "G-measure": "g_measure",
    "Tanimoto": "jaccard",
    "Jaccard": "jaccard",
    "WRAcc": "wracc",
    "Scott's pi": "scott_pi",
    "Cohen's kappa": "cohen_kappa",
    "Cramer's V": "cramers_v",
    "CramerV": "cramers_v",
    "Prev": "prevalence",
    "IPrev": "inverse_prevalence",  # "IPrev = 1 − Prev is Prevalence of Real Negatives"
    "IBias": "inverse_bias",  # "IBias = 1 − Bias is bias to Predicted Negatives"
}
SEVERAL = {  # of which the papers mean more than one thing, each of which the answer names
    "r_R": ("informedness", "markedness"),  # informedness in (18), markedness in (33)
    "r_P": ("markedness", "informedness"),  # markedness in (17), informedness in (30)
    "AvF": ("av_f(weights='bias')",),
    "AvG": ("av_g(weights='bias')",),
    "Evenness": ("evenness_det", "evenness_plus", "evenness_minus", "evenness_harmonic", "evenness_factor"),
}


@pytest.mark.parametrize(("said", "meant"), MEANT.items())
def test_a_name_of_the_papers(said: str, meant: str) -> None:
    assert find(said).name == meant


@pytest.mark.parametrize(("said", "meant"), SEVERAL.items())
def test_a_name_of_several_things_is_asked_back(said: str, meant: tuple[str, ...]) -> None:
    with pytest.raises(InformedError) as asked:
        find(said)
    with pytest.raises(AttributeError) as missed:
        getattr(informed, said)

    for name in meant:
        assert find(name).name in MEASURES
        assert name in str(asked.value)
        assert name in str(missed.value)


def test_an_ending_is_never_left_out_in_silence() -> None:
    """A name with a prime, a plus or a minus is that name, or none."""
    for name in [*MEASURES, *ALIASES]:
        for end, word in (("'", "prime"), ("+", "plus"), ("-", "minus")):
            if f"{name}_{word}" not in ALIASES and f"{name}_{word}" not in MEASURES:
                with pytest.raises(InformedError, match="There is no measure called"):
                    find(name + end)
