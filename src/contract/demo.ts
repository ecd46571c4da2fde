/** The demo installation's login (OPEN-POINTS 20); the README has the same. */
export const demoLogin = { username: 'demo', password: 'demo-password' } as const
