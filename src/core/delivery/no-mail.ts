/** Shown wherever an email would be sent, on an installation without a mail server. */
export const noMailText = "This installation can't send email. Your administrator can turn email on with SMTP_URL and MAIL_FROM."
