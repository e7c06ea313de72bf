# Sample sizes and powers of a share, by R 4.2.2 and epiR 2.0.57 (Debian's r-cran-epir); what it prints is s01_sizes.json.
#
#     Rscript tests/oracles/s01_sizes.R > tests/oracles/s01_sizes.json

suppressMessages(library(epiR))

number <- function(x) formatC(x, digits = 15, format = "g")
rows <- function(name, held) cat(sprintf(' "%s": [\n  %s\n ]', name, paste(held, collapse = ",\n  ")))

widths <- c()
for (type in c("se", "sp")) for (share in c(0.8, 0.9, 0.95)) for (prevalence in c(0.1, 0.2, 0.5)) {
  n <- epi.ssdxsesp(test = share, type = type, Py = prevalence, epsilon = 0.05, error = "absolute", nfractional = FALSE, conf.level = 0.95)
  widths <- c(widths, sprintf('["%s", %s, %s, %s]', type, number(share), number(prevalence), number(n)))
}

# mid-P: the chance of more successes, and half of that of as many
power <- function(n, goal, truth, alpha, side) {
  k <- 0:n
  upper <- pbinom(k, n, goal, lower.tail = FALSE) + dbinom(k, n, goal) / 2
  lower <- pbinom(k - 1, n, goal) + dbinom(k, n, goal) / 2
  p <- switch(side, greater = upper, less = lower, "two-sided" = 2 * pmin(upper, lower))
  sum(dbinom(k, n, truth)[p < alpha])
}
powers <- c()
for (side in c("greater", "less", "two-sided")) for (n in c(10, 29, 186, 237, 1000)) for (alpha in c(0.05, 0.01)) {
  pair <- if (side == "less") c(0.9, 0.8) else c(0.9, 0.95)
  held <- c(n, pair[1], pair[2], alpha, power(n, pair[1], pair[2], alpha, side))
  powers <- c(powers, sprintf('["%s", %s]', side, paste(sapply(held, number), collapse = ", ")))
}

cat(sprintf('{\n "R": "%s", "epiR": "%s",\n', getRversion(), packageVersion("epiR")))
rows("epi.ssdxsesp type, share, prevalence, n for +-0.05", widths); cat(",\n")
rows("mid-p power side, n, goal, truth, alpha, power", powers); cat("\n}\n")
