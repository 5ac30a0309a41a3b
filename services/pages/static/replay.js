// Goes through a hand without loading the page anew. Every step has its address; without this
// script the same links and the form lead there.
"use strict";

(() => {
  const root = document.getElementById("replay");
  if (!root) return;
  const one = (id) => document.getElementById(id);
  const slider = one("slider"), play = one("play"), keys = one("keys"), help = one("key-help");
  const PAUSE = 1500;
  let timer = null; // Set while it plays.

  for (const shown of document.querySelectorAll("[data-with-script]")) shown.hidden = false;
  for (const gone of document.querySelectorAll("[data-without-script]")) gone.hidden = true;

  // -- going to a step ---------------------------------------------------------------------------

  // One page is fetched at a time; of what was wanted meanwhile, the last counts.
  let wanted = null, busy = false, now = Number(slider.value);

  async function go(address, remember) {
    wanted = { address, remember };
    now = stepOf(address);
    if (busy) return;
    busy = true;
    while (wanted) {
      const { address, remember } = wanted;
      wanted = null;
      const fresh = await fetched(address);
      // Whoever is signed out, or may not see it any more, is told by the page itself.
      if (!fresh?.getElementById("replay")) return location.assign(address);
      if (remember) history.pushState(null, "", address);
      show(fresh);
    }
    busy = false;
  }

  async function fetched(address) {
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" }, redirect: "error" });
      if (!answer.ok) return null;
      return new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      return null;
    }
  }

  const stepOf = (address) =>
    Number(new URL(address, location.href).searchParams.get("step") ?? slider.max);

  function show(fresh) {
    const focused = document.activeElement?.id;
    for (const part of document.querySelectorAll("[data-part]")) {
      const next = fresh.querySelector(`[data-part="${part.dataset.part}"]`);
      if (!next) continue;
      const scrolled = part.scrollTop;
      part.replaceChildren(...next.childNodes);
      part.scrollTop = scrolled;
    }
    const reached = fresh.getElementById("slider");
    slider.max = reached.max;
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

  const entry = (step) => root.querySelector(`[data-step="${step}"]`);
  const begins = () => [...root.querySelectorAll("[data-go=street]")].map((link) => stepOf(link.href));
  const last = () => Number(slider.max);
  const FROM = {
    first: () => 1,
    last,
    back: (step) => Math.max(1, step - 1),
    forward: (step) => Math.min(last(), step + 1),
    "street-back": (step) => Math.max(1, ...begins().filter((begun) => begun < step)),
    "street-forward": (step) => Math.min(last(), ...begins().filter((begun) => begun > step)),
  };
  const press = (name) => {
    const to = FROM[name](now);
    if (to !== now) go(entry(to).href, true);
  };

  // -- links, the slider, back and forward of the browser ----------------------------------------

  root.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-go]");
    if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    stop();
    if (link.dataset.go in FROM) press(link.dataset.go);
    else go(link.href, true);
  });
  window.addEventListener("popstate", () => {
    stop();
    go(location.href, false);
  });

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

  const atEnd = () => now === last();
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
