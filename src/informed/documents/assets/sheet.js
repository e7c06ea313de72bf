(() => {
  const over = (a, b) => (b ? a / b : NaN);
  const mean = { f: (a, b) => over(2 * a * b, a + b), g: (a, b) => Math.sqrt(a * b) };
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  const odds = (real, n) => {
    if (![real, n].every(Number.isInteger) || !n) return (10 * over(n - real, n)).toFixed(2) + " : " + (10 * over(real, n)).toFixed(2);
    const d = divisor(n - real, real) || 1;
    return (n - real) / d + " : " + real / d;
  };

  const all = (tp, fp, fn, tn) => {
    const n = tp + fp + fn + tn, pp = tp + fp, pn = fn + tn, rp = tp + fn, rn = fp + tn;
    const recall = over(tp, rp), precision = over(tp, pp);
    const inverseRecall = over(tn, rn), inversePrecision = over(tn, pn);
    const won = { tp: 10 * over(tp, rp), fp: -10 * over(fp, rn), fn: -10 * over(fn, rp), tn: 10 * over(tn, rn) };
    const f = mean.f(recall, precision), inverseF = mean.f(inverseRecall, inversePrecision);
    const g = mean.g(recall, precision), inverseG = mean.g(inverseRecall, inversePrecision);
    const b = recall + inverseRecall - 1, plus = over(pp, n), minus = over(pn, n);
    const weighted = (x) => (x === 0 ? 0 : x);
    return {
      count: { n, pp, pn, rp, rn },
      odds: { plus: odds(rp, n), minus: odds(rn, n) },
      won: { ...won, plus: won.tp + won.fp, minus: won.fn + won.tn,
             rp: won.tp + won.fn, rn: won.fp + won.tn, all: won.tp + won.fp + won.fn + won.tn,
             wplus: weighted(10 * plus * b), wminus: weighted(10 * minus * b), wall: 10 * b },
      share: { recall, precision, inverseRecall, inversePrecision, accuracy: over(tp + tn, n),
               f, inverseF, avF: 1 / (plus / f + minus / inverseF),
               g, inverseG, avG: Math.pow(g, plus) * Math.pow(inverseG, minus),
               informedness: b, markedness: precision + inversePrecision - 1 },
    };
  };

  const clean = (x, digits) => {
    if (!Number.isFinite(x)) return "n/a";
    const said = x.toFixed(digits);
    return (Number(said) === 0 ? said.replace("-", "") : said).replace("-", "−");
  };
  const said = {
    count: (x) => String(+x.toFixed(4)), odds: (x) => x,
    won: (x) => clean(x, 2), share: (x) => clean(100 * x, 2),
  };

  for (const sheet of document.querySelectorAll(".sheet")) {
    const inputs = [...sheet.querySelectorAll("input")];
    const outputs = [...sheet.querySelectorAll("output[data-is]")];
    const again = () => {
      const cells = inputs.map((input) => Math.max(0, Number(input.value) || 0));
      const found = all(...cells);
      for (const output of outputs) {
        const [kind, name] = output.dataset.is.split(".");
        output.textContent = said[kind](found[kind][name]);
      }
    };
    sheet.addEventListener("input", again);
  }
})();
