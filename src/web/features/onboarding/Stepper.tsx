import { clsx } from 'clsx'
import { Check } from 'lucide-react'

export type Step = 'plan' | 'payment' | 'sites'

const steps: readonly { step: Step; label: string }[] = [
  { step: 'plan', label: 'Choose Plan' },
  { step: 'payment', label: 'Payment' },
  { step: 'sites', label: 'Select Sites' },
]

/** Where somebody is between choosing a plan and watching a site. */
export function Stepper({ current }: { current: Step }) {
  const at = steps.findIndex(({ step }) => step === current)
  return (
    <ol aria-label="Setup" className="mx-auto grid w-full max-w-xl grid-cols-3">
      {steps.map(({ step, label }, index) => {
        const done = index < at
        return (
          <li key={step} aria-current={index === at ? 'step' : undefined} className="relative flex flex-col items-center gap-1.5">
            {index > 0 && (
              <span
                aria-hidden
                className={clsx(
                  'absolute top-3.5 right-[calc(50%+1.25rem)] left-[calc(-50%+1.25rem)] h-px',
                  index <= at ? 'bg-brand' : 'bg-line-control',
                )}
              />
            )}
            <span
              aria-hidden
              className={clsx(
                'grid size-7 place-items-center rounded-full text-sm font-semibold tabular-nums [&_svg]:size-4',
                done && 'bg-brand text-on-brand',
                index === at && 'bg-brand-soft text-brand ring-2 ring-brand ring-inset',
                index > at && 'bg-surface text-muted ring-1 ring-line-control ring-inset',
              )}
            >
              {done ? <Check /> : index + 1}
            </span>
            <span className={clsx('text-sm', index === at ? 'font-semibold' : 'text-muted')}>
              {label}
              {done && <span className="sr-only"> (done)</span>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
