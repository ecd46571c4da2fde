// Stripe's own test numbers, which the stand-in knows as well.
const cards = [
  { number: '4242 4242 4242 4242', what: 'is accepted' },
  { number: '4000 0025 0000 3155', what: 'asks for 3-D Secure' },
  { number: '4000 0000 0000 0002', what: 'is declined' },
]

/** Where a stand-in takes the place of Stripe: what can be tried. */
export function DemoCards() {
  return (
    <div className="mb-5 rounded-control bg-brand-soft p-3">
      <p className="font-medium">Demo: no real charge. Use any future date and CVC.</p>
      <ul className="mt-1.5 flex flex-col gap-1">
        {cards.map(({ number, what }) => (
          <li key={number}>
            <code className="whitespace-nowrap">{number}</code> {what}
          </li>
        ))}
      </ul>
    </div>
  )
}
