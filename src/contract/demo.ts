/** Whom a demo installation is set up with (OPEN-POINTS 20); the README says the same. */
export const demoLogin = { username: 'demo', password: 'demo-password' } as const
