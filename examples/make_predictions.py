"""Make the CSV files of this folder: honest predictions on two data sets of scikit-learn.

Every prediction is for a case that the classifier was not trained on (ten-fold cross-validation
with a fixed seed). Run: python examples/make_predictions.py
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

HERE = Path(__file__).parent
FOLDS = StratifiedKFold(n_splits=10, shuffle=True, random_state=2003)

SYSTEMS = {
    "logistic": make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000)),
    "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
    "neighbours": make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
    "bayes": GaussianNB(),
    "majority": DummyClassifier(strategy="most_frequent"),
    "guess": DummyClassifier(strategy="stratified", random_state=0),
}


def folds(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Number of the fold in which each case was predicted."""
    fold = np.empty(len(y), dtype=int)
    for number, (_, test) in enumerate(FOLDS.split(x, y), start=1):
        fold[test] = number
    return fold


def write(name: str, columns: dict[str, list[object]]) -> None:
    with (HERE / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))


def breast_cancer() -> None:
    """569 cases, two classes, six systems and the score of one of them."""
    data = load_breast_cancer()
    names = np.array(["malignant", "benign"])
    columns: dict[str, list[object]] = {
        "case": list(range(1, len(data.target) + 1)),
        "fold": folds(data.data, data.target).tolist(),
        "diagnosis": names[data.target].tolist(),
    }
    for system, model in SYSTEMS.items():
        predicted = cross_val_predict(model, data.data, data.target, cv=FOLDS)
        columns[system] = names[predicted].tolist()
    score = cross_val_predict(SYSTEMS["logistic"], data.data, data.target, cv=FOLDS, method="predict_proba")
    columns["score"] = [f"{p:.6f}" for p in score[:, 0]]
    write("breast-cancer.csv", columns)


def digits() -> None:
    """1797 handwritten digits, ten classes, one system."""
    data = load_digits()
    predicted = cross_val_predict(GaussianNB(), data.data, data.target, cv=FOLDS)
    write("digits.csv", {"digit": data.target.tolist(), "predicted": predicted.tolist()})


if __name__ == "__main__":
    breast_cancer()
    digits()
