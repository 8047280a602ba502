/** The header in which our code passes the client's network to better-auth, which stores it with the session. */
export const clientHeader = "x-operator-client";
