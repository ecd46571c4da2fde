/** US dollars: `$9`, `$17.40`. */
export function formatDollars(amount: number): string {
  const cents = Number.isInteger(amount) ? 0 : 2
  const figure = Math.abs(amount).toLocaleString('en-US', { minimumFractionDigits: cents, maximumFractionDigits: cents })
  return `${amount < 0 ? '−' : ''}$${figure}`
}
