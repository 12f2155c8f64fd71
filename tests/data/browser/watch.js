// Runs before everything else on the page: whatever goes wrong, or runs that should not, is kept.
window.seen = { errors: [], violations: [], alerts: [] };
addEventListener("error", (e) => window.seen.errors.push(String(e.message)));
addEventListener("unhandledrejection", (e) => window.seen.errors.push(String(e.reason)));
addEventListener("securitypolicyviolation", (e) => window.seen.violations.push(e.violatedDirective + " " + e.blockedURI));
console.error = (...what) => window.seen.errors.push(what.join(" "));
window.alert = (what) => window.seen.alerts.push(String(what));
