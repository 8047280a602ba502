/** In characters. NIST SP 800-63B-4, 3.1.1.2, asks for 15 where the password stands alone; here a second factor follows. */
export const minPasswordLength = 12;
export const maxPasswordLength = 128;
