/** What is said wherever a mail would be sent, on an installation that nobody gave a mail server. */
export const noMailText = 'This installation sends no email. Whoever runs it can turn email on with SMTP_URL and MAIL_FROM.'
