suppressMessages(library(pROC))
d <- read.csv("examples/breast-cancer.csv", stringsAsFactors=FALSE)
y <- factor(d$diagnosis, levels=c("benign","malignant"))
coarse <- round(d$score, 1)
noisy <- d$score + sin(seq_along(d$score)) # a deterministic, weaker score
r <- roc(y, d$score, direction="<", quiet=TRUE); rc <- roc(y, coarse, direction="<", quiet=TRUE); rn <- roc(y, noisy, direction="<", quiet=TRUE)
f <- function(x) format(x, digits=15, scientific=FALSE)
one <- function(name, r) { ci <- ci.auc(r, method="delong"); cat(sprintf('  "%s": {"auc": %.15g, "var": %.15g, "low": %.15g, "high": %.15g},\n', name, as.numeric(auc(r)), var(r, method="delong"), ci[1], ci[3])) }
cat("{\n"); cat(sprintf('  "made_with": "R %s, pROC %s",\n', getRversion(), packageVersion("pROC")))
one("score", r); one("coarse", rc); one("noisy", rn)
t <- roc.test(r, rc, method="delong", paired=TRUE); cat(sprintf('  "paired_score_coarse": {"z": %.15g, "p": %.15g},\n', t$statistic, t$p.value))
t <- roc.test(r, rn, method="delong", paired=TRUE); cat(sprintf('  "paired_score_noisy": {"z": %.15g, "p": %.15g},\n', t$statistic, t$p.value))
odd <- seq_along(y) %% 2 == 1
a <- roc(y[odd], noisy[odd], direction="<", quiet=TRUE); b <- roc(y[!odd], noisy[!odd], direction="<", quiet=TRUE)
t <- roc.test(a, b, method="delong", paired=FALSE); cat(sprintf('  "unpaired_noisy_odd_even": {"d": %.15g, "df": %.15g, "p": %.15g, "a": %.15g, "b": %.15g, "var_a": %.15g, "var_b": %.15g},\n', t$statistic, t$parameter, t$p.value, auc(a), auc(b), var(a, method="delong"), var(b, method="delong")))
p <- auc(rn, partial.auc=c(1,.8), partial.auc.focus="specificity"); cat(sprintf('  "partial_fallout_0_0.2": %.15g,\n', as.numeric(p)))
p <- auc(rn, partial.auc=c(1,.8), partial.auc.focus="specificity", partial.auc.correct=TRUE); cat(sprintf('  "partial_fallout_0_0.2_corrected": %.15g,\n', as.numeric(p)))
p <- auc(rn, partial.auc=c(.9,.6), partial.auc.focus="sensitivity"); cat(sprintf('  "partial_recall_0.6_0.9": %.15g,\n', as.numeric(p)))
co <- coords(rn, "best", best.method="youden", transpose=FALSE, ret=c("threshold","sensitivity","specificity")); cat(sprintf('  "youden": {"recall": %.15g, "inverse_recall": %.15g},\n', co$sensitivity[1], co$specificity[1]))
co <- coords(rn, "best", best.method="closest.topleft", transpose=FALSE, ret=c("threshold","sensitivity","specificity")); cat(sprintf('  "closest": {"recall": %.15g, "inverse_recall": %.15g},\n', co$sensitivity[1], co$specificity[1]))
set.seed(1); v <- var(roc(y, noisy, direction="<", quiet=TRUE, partial.auc=c(1,.8)), method="bootstrap", boot.n=20000, progress="none"); cat(sprintf('  "partial_fallout_0_0.2_var_bootstrap_20000": %.15g,\n', v))
cl <- rep(c("a","b","c"), length.out=length(y)); cl[y=="malignant"] <- "a"
m <- cbind(a=noisy, b=cos(seq_along(y))+(cl=="b"), c=sin(2*seq_along(y))+(cl=="c"))
mm <- multiclass.roc(cl, m, quiet=TRUE); cat(sprintf('  "hand_till": %.15g\n}\n', as.numeric(mm$auc)))
