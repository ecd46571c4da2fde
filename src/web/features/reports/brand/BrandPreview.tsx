import { clsx } from 'clsx'
import { SectionCard } from '../../../ui/Card.tsx'
import { buttonClass } from '../../../ui/Button.tsx'
import { BrandLogo } from '../../../widgets/report/BrandLogo.tsx'
import { brandScope, inBrandClass } from '../../../widgets/report/brand-scope.ts'
import { isColour, type TypedBrand } from './brand-values.ts'

const nothingTyped = '#5b6470'

/** How what is typed will look to a client: the head of a report, its heading, line and button, and the mail's sender. */
export function BrandPreview({ typed, logo }: { typed: TypedBrand; logo: string | null }) {
  const { className, style } = brandScope(isColour(typed.colour) ? typed.colour : nothingTyped)
  const name = typed.name.trim() === '' ? 'Your brand' : typed.name
  const sender = typed.senderName.trim() === '' ? name : typed.senderName
  return (
    <SectionCard title="Preview" description="As your clients see it.">
      <div className={clsx('overflow-hidden rounded-control border border-line bg-page', className)} style={style}>
        <div className={clsx('h-1.5', inBrandClass)} />
        <div className="flex flex-col gap-4 p-4">
          <BrandLogo brand={{ name, logo }} />
          <div>
            <p className="text-title font-semibold text-brand">Monthly report</p>
            <p className="text-muted wrap-anywhere">{name}</p>
          </div>
          <svg aria-hidden viewBox="0 0 240 48" preserveAspectRatio="none" className="h-16 w-full overflow-visible">
            <path
              d="M0 40 30 34 60 37 90 24 120 28 150 18 180 22 210 9 240 12"
              fill="none"
              vectorEffect="non-scaling-stroke"
              className="stroke-brand stroke-2"
            />
          </svg>
          <span aria-hidden className={clsx(buttonClass('primary', 'self-start'), inBrandClass)}>
            Download PDF
          </span>
        </div>
        <p className="border-t border-line p-4 text-sm wrap-anywhere text-muted">
          Emails come from <strong className="font-medium text-text">{sender}</strong>
          {typed.replyTo.trim() !== '' && (
            <>
              {' '}
              and replies go to <strong className="font-medium text-text">{typed.replyTo}</strong>
            </>
          )}
          .
        </p>
      </div>
    </SectionCard>
  )
}
