// The tour: eight questions. Each is asked before anything is told, and its table answers.
import { html, useState, useEffect, percent, address, goTo, readAddress } from "/static/lib.js";
import { Live, useLive } from "/static/live.js";
import { Editor } from "/static/editor.js";
import { Plane } from "/static/plane.js";
import { Measures, Classes } from "/static/measures.js";
import { Choices } from "/static/choices.js";
import { Picture } from "/static/pictures.js";

const scaled = (counts, by) => counts.map((row) => row.map((x) => x * by));

const STEPS = [
  {
    title: "Accuracy and F reward guessing",
    ask: "This filter says “spam” to every message, and nine of ten are spam. How much does it know?",
    choices: ["90 %: so often it is right", "Nothing", "About half"], right: 1, told: "Nothing: it never looks.",
    counts: [[90, 10], [0, 0]], labels: ["spam", "ham"],
    only: ["accuracy", "f1", "recall", "informedness"],
    text: html`<p>This filter never looks at a message: it says <b>spam</b> every time. Nine of ten messages are spam, so it is right nine times out of ten, and its F1 is higher still.</p>
      <p>The orange ticks show what pure guessing with the same totals scores. Accuracy and F1 stand exactly on them: all their height is prevalence. <b>Informedness</b> asks only what is above that line, and says 0.</p>`,
    try: [["Call ten hams correctly", [[90, 0], [0, 10]]], ["Flip a coin instead", [[45, 5], [45, 5]]], ["More spam, same blindness", [[99, 1], [0, 0]]]],
    after: "Whatever a blind system says, informedness stays 0, while accuracy follows the mailbox.",
  },
  {
    title: "Informedness is a bet",
    ask: "It is right 68 times out of 100. At fair odds, where guessing wins nothing: what does it win of each coin it bets?",
    choices: ["0.68", "0.20", "Nothing"], right: 1, told: "0.20: the rest of the 68 would come from guessing.",
    counts: [[56, 20], [12, 12]], only: ["informedness", "recall", "inverse_recall", "accuracy"], plane: true,
    text: html`<p>A bookmaker offers fair odds on each class: right answers win what the class is worth, wrong ones lose it, and whoever guesses goes home with nothing on average. What <i>this</i> system wins per bet is its informedness: the probability that a decision is informed and not guessed.</p>
      <p>With two classes it is recall + inverse recall − 1, the height of the point above the orange chance line. Drag the point and watch the table follow.</p>`,
    try: [["A coin", [[34, 16], [34, 16]]], ["An oracle", [[68, 0], [0, 32]]], ["Always wrong", [[0, 32], [68, 0]]]],
    after: "Always wrong is −1: it knows everything and says the opposite. Turn its answers round and it is perfect.",
  },
  {
    title: "Markedness looks from the other side",
    ask: "This test finds 9 of 10 who are ill, and alarms 1 in 100 of the others. It rings for you. How likely are you ill?",
    choices: ["About 90 %", "About 50 %", "About 8 %"], right: 2, told: "About 8 %: of 108 alarms, 9 are for people who are ill.",
    counts: [[9, 99], [1, 9891]], labels: ["ill", "well"], only: ["informedness", "markedness", "recall", "precision", "accuracy"],
    text: html`<p>Ask the test: <i>does reality determine what you say?</i> That is informedness. Ask the patient: <i>does what it says determine what I have?</i> That is markedness, precision + inverse precision − 1.</p>
      <p>For a rare disease they part. The test is highly informed, yet eleven of twelve alarms are false, because the well are so many. Exchange rows and columns, and the two change places.</p>`,
    try: [["Test only people with symptoms", [[900, 1], [100, 99]]], ["Exchange rows and columns", [[9, 1], [99, 9891]]]],
    after: "Correlation is the geometric mean of the two; informedness belongs to the system, markedness to the system in its population.",
  },
  {
    title: "Kappa moves with the margins",
    ask: "The same system, as good at each class as here, moves to a place where one class is rare. What does Cohen's kappa do?",
    choices: ["It stays", "It falls", "It rises"], right: 1, told: "It falls, though the system is the same.",
    counts: [[80, 20], [20, 80]], only: ["informedness", "cohen_kappa", "accuracy", "f1"], slide: true,
    text: html`<p>Cohen's kappa is corrected for chance too, but the correction depends on how common the classes are and how often each is said. Here it equals informedness, because everything is even.</p>
      <p>Now move the prevalence: the same system, with the same recalls, in another population. Informedness does not move. Kappa falls, and so does every measure that is not built on recalls alone.</p>`,
    try: [["Even classes", [[80, 20], [20, 80]]], ["One in twenty", [[8, 38], [2, 152]]]],
    after: "Kappa answers another question: how well two raters agree who are judged alike. Of a system against reality, ask informedness.",
  },
  {
    title: "More than two classes",
    ask: "This system names the colour rightly 10 times out of 150. Does it know the colours?",
    choices: ["No: it is worse than guessing", "A little", "Nearly perfectly"], right: 2, told: "Nearly perfectly: it calls each by another's name.",
    counts: [[2, 45, 3], [3, 4, 43], [44, 2, 4]], labels: ["red", "green", "blue"], only: ["informedness", "accuracy", "cohen_kappa", 'f1(average="macro")'], classes: true,
    text: html`<p>With more classes each one is a bet of its own against the rest, and informedness is their average, weighted by how often each class is real.</p>
      <p>This system tells the colours apart almost perfectly, and calls each by the wrong name. Below chance means <i>knowing and misusing it</i>; a guesser would be at 0.</p>`,
    try: [["Put the names right", [[44, 2, 4], [2, 45, 3], [3, 4, 43]]], ["Know only red", [[44, 4, 4], [3, 23, 23], [3, 23, 23]]], ["Always say red", [[50, 51, 49], [0, 0, 0], [0, 0, 0]]]],
    after: "Class by class you see who is recognised and who is guessed, which one number for all would hide.",
  },
  {
    title: "Could it be luck?",
    ask: "Twenty-five cases, and an informedness of 0.20. Is it better than guessing?",
    choices: ["Yes: 0.20 is above 0", "These cases cannot say", "No"], right: 1, told: "These cases cannot say: 0 is among what they allow.",
    counts: [[14, 5], [3, 3]], only: ["informedness", "accuracy"], plane: true, test: true,
    text: html`<p>Twenty-five cases, and an informedness of about 0.2. The shaded band is its 95 % interval: the values that the data do not contradict. The chance line runs right through it, so this could be luck.</p>
      <p>The same shares in a bigger sample are the same informedness with a narrower band. Significance says that it is above chance; the interval says <i>by how much</i>. Report the interval.</p>`,
    try: [["25 cases", [[14, 5], [3, 3]]], ["100 cases", scaled([[14, 5], [3, 3]], 4)], ["1600 cases", scaled([[14, 5], [3, 3]], 64)]],
    after: "Four times the cases halve the band. Plan the size before collecting: the Table panel says what a sample can show.",
  },
  {
    title: "Comparing two systems",
    ask: "System A is right 68 % of the time, System B 58 %. Which knows more?",
    choices: ["A", "B", "Both the same"], right: 2, told: "Both the same: A has more to gain by guessing.",
    counts: [[56, 20], [12, 12]], second: [[30, 12], [30, 28]], only: ["informedness", "markedness", "accuracy", "f1"],
    text: html`<p>Two systems on two collections. By accuracy the first wins, 0.68 against 0.58, by F1 even more clearly. But their classes and their habits differ, and both numbers feed on that.</p>
      <p>By informedness they are equal. And where intervals overlap widely, not even a gap that you see is one: compare the <i>difference</i>, on the same cases if you can, with its own interval.</p>`,
    try: [["As in the paper", [[56, 20], [12, 12]]], ["Let A say yes more often", [[64, 28], [4, 4]]]],
    after: "Saying yes more often raised recall and F1 of A, and lowered what it knows.",
  },
  {
    title: "Which measure when",
    ask: "A test finds 95 % of those who are ill. What must you know before you rely on it?",
    choices: ["Nothing: 95 % is enough", "How many of the well it alarms", "How old it is"], right: 1, told: "How many of the well it alarms: a test that always rings finds everybody.",
    counts: [[56, 20], [12, 12]], only: ["informedness", "markedness", "correlation", "recall", "precision", "cohen_kappa"], closing: true,
    text: html`<p>Every measure answers some question. Start from yours.</p>
      <table class="when"><caption class="sr">Questions and the measures that answer them</caption><thead><tr><th scope="col">You ask</th><th scope="col">Read</th></tr></thead><tbody>
      <tr><th scope="row">Does it know anything? Is it better than another?</th><td>informedness, with its interval</td></tr>
      <tr><th scope="row">Can I trust an answer here?</th><td>markedness and precision, at the prevalence of the field</td></tr>
      <tr><th scope="row">One number for both directions</th><td>correlation (Matthews)</td></tr>
      <tr><th scope="row">How many of the ill are found?</th><td>recall, never alone</td></tr>
      <tr><th scope="row">Do two raters agree?</th><td>kappa</td></tr>
      <tr><th scope="row">What does using it cost?</th><td>expected cost; the dashed line of the plane</td></tr>
      <tr><th scope="row">Accuracy, F1?</th><td>only beside their chance level</td></tr></tbody></table>`,
    try: [],
    after: "One number never says it all: give it with its interval, and with the table.",
  },
];

const answers = new Map(); // what was said to each question, as long as the page is open

function fromAddress() {
  const { query } = readAddress();
  const at = Math.min(STEPS.length, Math.max(1, Number(query.get("step")) || 1)) - 1;
  if (/^\d$/.test(query.get("said") || "")) answers.set(at, query.get("said"));
  return at;
}

export function LearnPanel() {
  const [at, setAt] = useState(fromAddress);
  const [, again] = useState({});
  useEffect(() => {
    const back = () => { if (readAddress().panel === "learn") setAt(fromAddress()); };
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const place = (to) => address("learn", { step: to + 1, said: answers.get(to) });
  const go = (to) => {
    goTo(place(to));
    setAt(to);
    scrollTo(0, 0);
    requestAnimationFrame(() => { const h = document.querySelector(".learn h1"); if (h) h.focus(); });
  };
  const say = (said) => {
    answers.set(at, said);
    goTo(place(at), false);
    again({});
    requestAnimationFrame(() => { const told = document.querySelector(".learn .told"); if (told) told.focus(); });
  };
  const step = STEPS[at], said = answers.get(at);
  return html`<div class="learn">
    <nav class="steps" aria-label="Steps"><ol>${STEPS.map((s, i) => html`<li key=${i}><a href=${place(i)} aria-current=${i === at ? "step" : null}
      onClick=${(event) => { event.preventDefault(); go(i); }}><span class="number">${i + 1}</span><span class="what">${s.title}</span></a></li>`)}</ol></nav>
    <${Step} key=${at} step=${step} number=${at + 1} said=${said} say=${say} />
    ${said !== undefined && at === STEPS.length - 1 && html`<${Next} />`}
    <div class="buttons between"><button type="button" disabled=${at === 0} onClick=${() => go(at - 1)}>Back</button>
      ${at < STEPS.length - 1 && html`<button type="button" class=${said === undefined ? "" : "main"} onClick=${() => go(at + 1)}>Next: ${STEPS[at + 1].title}</button>`}</div></div>`;
}

function Step({ step, number, said, say }) {
  const first = useLive(() => new Live({ counts: step.counts, labels: step.labels || labelsOf(step.counts) }));
  const second = useLive(() => new Live({ counts: step.second || step.counts, labels: step.labels || labelsOf(step.counts) }));
  const open = said !== undefined;
  const right = Number(said) === step.right;
  return html`<article><h1 tabindex="-1"><span class="of">Step ${number} of ${STEPS.length}</span>${step.title}</h1>
    <div class="lesson"><div class="words"><p class="asked">${step.ask}</p>
      <${Choices} label="Your guess" choices=${step.choices.map((name, i) => [String(i), name])} said=${said} right=${String(step.right)} onSay=${say} />
      ${open && html`<p class="told" tabindex="-1"><b>${right ? "Right. " : Number(said) < step.choices.length ? "Not so. " : ""}</b>${step.told}</p>${step.text}
        ${step.try.length > 0 && html`<div class="tries"><span>Try:</span>${step.try.map(([name, counts]) => html`<button type="button" class="chip" key=${name} aria-pressed=${JSON.stringify(first.counts) === JSON.stringify(counts)}
          onClick=${() => first.set({ counts })}>${name}</button>`)}</div>`}
        <p class="after">${step.after}</p>`}
      ${!open && html`<p><button type="button" class="plain" onClick=${() => say("9")}>Tell me without a guess</button></p>`}</div>
    <div class="stagelet">${step.second
      ? html`<h2>System A</h2><${Bench} live=${first} step=${step} open=${open} name="System A" /><h2>System B</h2><${Bench} live=${second} step=${step} open=${open} name="System B" />`
      : html`<${Bench} live=${first} step=${step} open=${open} name="The table" />`}</div></div></article>`;
}

// A command that breaks between its words, and never inside an option.
const Command = ({ text }) => html`<code>${text.split(" ").map((word) => html`<b>${word}</b> `)}</code>`;

function Next() {
  return html`<section class="card next" aria-labelledby="next-h"><h2 id="next-h">What to do next</h2><ul class="ways">
    <li><a href="#data">Report on your own predictions</a><span>Drop a file, or try an example.</span><${Command} text="informed report predictions.csv --real truth --predicted answer" /></li>
    <li><a href="#data">Compare two systems</a><span>On the same items: columns, rows, or a file each.</span><${Command} text="informed compare runs.csv --real truth --predicted a --predicted b" /></li>
    <li><a href="#threshold">Choose a threshold</a><span>For a score, and what mistakes cost you.</span><${Command} text="informed roc scores.csv --real truth --score p" /></li>
    <li><a href="#monte">See measures go wrong</a><span>Random tables whose truth is known.</span><${Command} text="informed simulate" /></li></ul></section>`;
}

const labelsOf = (counts) => (counts.length === 2 ? ["+", "−"] : counts.map((_, i) => String(i + 1)));

function Bench({ live, step, open, name }) {
  if (!live.answer) return html`<p class="waiting">${live.error || "Counting…"}</p>`;
  const { answer, counts, labels } = live;
  const test = answer.tests && answer.tests[0];
  const editor = html`<${Editor} answer=${answer} counts=${counts} labels=${labels} name=${name} onCell=${(...x) => live.cell(...x)} onSettle=${() => live.settle()}
      onPaste=${(found) => (found.error ? live.say(found.error) : live.set({ counts: found.counts, labels: found.labels || labelsOf(found.counts) }))} />`;
  if (!open) return html`${editor}<p class="note">The measures are here once you have guessed.</p>`;
  return html`${editor}
    ${step.slide && counts.length === 2 && html`<div class="slider"><label for="learn-prevalence">Prevalence</label><output for="learn-prevalence">${percent(answer.prevalence[0])}</output>
      <input type="range" id="learn-prevalence" min="0.01" max="0.99" step="0.01" value=${answer.prevalence[0] ?? 0.5}
        onPointerDown=${() => live.begin()} onInput=${(event) => live.ratio("prevalence", Number(event.currentTarget.value), false, false)}
        onChange=${(event) => live.ratio("prevalence", Number(event.currentTarget.value), false, true)} /></div>`}
    <${Measures} measures=${answer.measures} only=${step.only} caption="Measures of ${name}" />
    ${step.test && test && html`<p class="note">If it were guessing, a table at least this far from chance would come up with probability <b>${test.pvalue === null ? "–" : test.pvalue < 0.0001 ? "below 0.0001" : test.pvalue.toPrecision(2)}</b>.</p>`}
    ${step.plane && html`<${Picture} name="roc-plane"><div class="plane-box small"><${Plane} answer=${answer} labels=${labels} focus=${0} onDrag=${(to, begins) => live.drag(to, begins)} onDrop=${(to) => live.drop(to)} /></div><//>`}
    ${step.classes && html`<${Classes} answer=${answer} labels=${labels} focus=${-1} />`}
    <p class="problem" role="status">${live.error}</p>`;
}
