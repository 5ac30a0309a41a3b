// Goes through a hand without loading the page anew. Every step has its address; without this
// script the same links and the form lead there.
"use strict";

(() => {
  const root = document.getElementById("replay");
  if (!root) return;
  const one = (id) => document.getElementById(id);
  const slider = one("slider"), play = one("play"), keys = one("keys"), help = one("key-help");
  const PAUSE = 1500;
  let asked = 0, timer = null;

  for (const shown of document.querySelectorAll("[data-with-script]")) shown.hidden = false;
  for (const gone of document.querySelectorAll("[data-without-script]")) gone.hidden = true;

  // -- going to a step ---------------------------------------------------------------------------

  async function go(address, remember) {
    const mine = ++asked;
    let answer;
    try {
      answer = await fetch(address, { headers: { Accept: "text/html" }, redirect: "error" });
    } catch {
      answer = null;
    }
    // Whoever is signed out, or may not see it any more, is told by the page itself.
    if (!answer || !answer.ok) return location.assign(address);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== asked) return; // Somebody has gone on meanwhile.
    if (!fresh.getElementById("replay")) return location.assign(address);
    if (remember) history.pushState(null, "", address);
    show(fresh);
  }

  function show(fresh) {
    const focused = document.activeElement?.id;
    for (const part of document.querySelectorAll("[data-part]")) {
      const next = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
      const scrolled = part.scrollTop;
      part.replaceChildren(...next.childNodes);
      part.scrollTop = scrolled;
    }
    const reached = fresh.getElementById("slider");
    slider.value = reached.value;
    slider.setAttribute("aria-valuetext", reached.getAttribute("aria-valuetext"));
    one("reached").textContent = fresh.getElementById("reached").textContent;
    document.title = fresh.title;
    if (focused) one(focused)?.focus({ preventScroll: true });
    follow();
    if (timer !== null) goOn();
  }

  // The list keeps the current event in sight, and the page stays where it is.
  function follow() {
    const list = one("list"), current = list.querySelector(".current");
    if (!current || list.scrollHeight <= list.clientHeight) return;
    const top = current.offsetTop, bottom = top + current.offsetHeight;
    if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 3;
    }
  }

  const press = (name) => {
    const link = one(`go-${name}`);
    if (link.getAttribute("aria-disabled") !== "true") go(link.href, true);
  };

  // -- links, the slider, back and forward of the browser ----------------------------------------

  root.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-go]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    stop();
    if (link.getAttribute("aria-disabled") !== "true") go(link.href, true);
  });
  window.addEventListener("popstate", () => {
    stop();
    go(location.href, false);
  });

  const entry = (step) => root.querySelector(`[data-step="${step}"]`);
  slider.addEventListener("input", () => {
    const words = entry(slider.value).textContent;
    slider.setAttribute("aria-valuetext", `Step ${slider.value} of ${slider.max}: ${words}`);
    one("reached").textContent = `${slider.value} of ${slider.max}`;
  });
  slider.addEventListener("change", () => {
    stop();
    go(entry(slider.value).href, true);
  });

  // -- playing -----------------------------------------------------------------------------------

  const atEnd = () => slider.value === slider.max;
  function goOn() {
    clearTimeout(timer);
    timer = null;
    if (atEnd()) return stop();
    timer = setTimeout(() => press("forward"), PAUSE);
  }
  function stop() {
    clearTimeout(timer);
    timer = null;
    play.setAttribute("aria-pressed", "false");
    play.textContent = "Play";
  }
  function start() {
    play.setAttribute("aria-pressed", "true");
    play.textContent = "Stop";
    timer = 0;
    if (atEnd()) press("first");
    else press("forward");
  }
  const toggle = () => (timer === null ? start() : stop());
  play.addEventListener("click", toggle);

  // -- keys, which can be switched off -----------------------------------------------------------

  const KEPT = "studledger-replay-keys";
  keys.checked = localStorage.getItem(KEPT) !== "off";
  keys.addEventListener("change", () => localStorage.setItem(KEPT, keys.checked ? "on" : "off"));
  one("help").addEventListener("click", () => help.showModal());

  const KEYS = {
    ArrowLeft: () => (stop(), press("back")),
    ArrowRight: () => (stop(), press("forward")),
    "[": () => (stop(), press("street-back")),
    "]": () => (stop(), press("street-forward")),
    Home: () => (stop(), press("first")),
    End: () => (stop(), press("last")),
    " ": toggle,
    "?": () => help.showModal(),
  };
  const OWN = "input:not([type=checkbox]), select, textarea, dialog, [contenteditable]";
  const PRESSED = "button, summary, input";

  document.addEventListener("keydown", (event) => {
    const act = KEYS[event.key];
    if (!act || !keys.checked || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target;
    if (help.open || at.closest(OWN) || (event.key === " " && at.closest(PRESSED))) return;
    if (at.closest("[tabindex='0'].scroll") && event.key.startsWith("Arrow")) return;
    event.preventDefault();
    act();
  });

  follow();
})();
