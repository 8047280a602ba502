// In milliseconds, the unit of Date.
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

// In seconds, the unit of cookies, tokens and rate limits.
export const hourSeconds = 3600;
export const daySeconds = 86_400;
