/**
 * Drops emails that are waiting to be sent, and requests for reset links: after a restore they may have been sent since, and after a demo
 * their recipients never asked for one.
 */
export const dropWaitingEmails = `DELETE FROM jobs.job WHERE name IN ('mail', 'mail-awaited', 'password-resets') AND state IN ('created', 'retry', 'active')`
