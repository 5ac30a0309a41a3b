// Says while amounts are typed whether they balance. The server says so in any case.
"use strict";

(() => {
  const said = document.getElementById("balance-now");
  if (!said) return;
  const kind = document.getElementById("kind");
  const fields = [...document.querySelectorAll(".amounts input")];
  const decimals = Number(said.dataset.exponent);

  // In minor units; null for what cannot be read.
  function amount(text) {
    if (text.trim() === "") return 0n;
    const found = /^\s*([+\-−])?\s*[$€£]?\s*(\d{1,12})(?:\.(\d+))?\s*$/.exec(text);
    if (!found || (found[3] || "").length > decimals) return null;
    const minor = BigInt(found[2] + (found[3] || "").padEnd(decimals, "0"));
    return found[1] === "-" || found[1] === "−" ? -minor : minor;
  }

  function words(minor) {
    const digits = String(minor < 0n ? -minor : minor).padStart(decimals + 1, "0");
    const whole = digits.slice(0, digits.length - decimals);
    return decimals ? `${whole}.${digits.slice(digits.length - decimals)}` : whole;
  }

  function tell() {
    const amounts = fields.map((field) => amount(field.value));
    said.hidden = kind.value !== "corrected_award" && kind.value !== "goodwill";
    if (amounts.includes(null)) {
      said.textContent = "One amount cannot be read.";
      return;
    }
    const sum = amounts.reduce((one, other) => one + other, 0n);
    if (kind.value === "goodwill") said.textContent = `The house pays ${words(sum)}.`;
    else if (sum === 0n) said.textContent = "Balanced.";
    else said.textContent = `Off by ${words(sum)}: seats and rake together get that too ${sum > 0n ? "much" : "little"}.`;
  }

  document.addEventListener("input", tell);
  tell();
})();
