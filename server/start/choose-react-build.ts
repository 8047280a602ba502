// React picks its build by NODE_ENV when it is first loaded, so main.ts imports this file before all others. A user's own value must not
// slow the shop down.
process.env.NODE_ENV = "production";
