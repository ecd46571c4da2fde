/** Whether PostgreSQL refused a row because another one has what must be unique. */
export const isUniqueViolation = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23505'
