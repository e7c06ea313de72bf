"""Using a classifier: odds and payoffs, labels for clusters, thresholds, costs, abstention."""
