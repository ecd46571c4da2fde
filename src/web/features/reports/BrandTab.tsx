import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Palette, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { logoLimits, type ReportBrand } from '../../../contract/reports/reports.ts'
import { failureText } from '../../api/client.ts'
import { removeLogo, reportBrandQuery, saveLogo } from '../../api/reports.ts'
import { useCurrentUser } from '../../shell/current-user.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { SectionCard } from '../../ui/Card.tsx'
import { FileDrop } from '../../ui/form/FileDrop.tsx'
import { toast } from '../../ui/overlay/toast.ts'
import { LockedFeature } from '../../widgets/LockedFeature.tsx'
import { BrandLogo, brandScope, inBrandClass } from '../../widgets/report/brand.tsx'
import { BrandForm, isColor, type TypedBrand, typedOf } from './BrandForm.tsx'
import { lockedWords } from './copy.ts'
import { ListFailure, ListLoading } from './ListStates.tsx'

/** The look and the sender of reports. */
export function BrandTab() {
  const { plan } = useCurrentUser()
  const { data, error, refetch } = useQuery(reportBrandQuery(plan))
  if (error !== null) return <ListFailure what="your brand" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <ListLoading what="your brand" />
  return data.locked === null ? <Brand data={data} /> : <LockedFeature Icon={Palette} reason={data.locked} {...lockedWords.brand} />
}

function Brand({ data: { brand } }: { data: ReportBrand }) {
  const { plan } = useCurrentUser()
  const client = useQueryClient()
  const [typed, setTyped] = useState(() => typedOf(brand))
  const show = (saved: ReportBrand): void => {
    client.setQueryData(reportBrandQuery(plan).queryKey, saved)
  }
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2 xl:gap-5">
      <div className="flex min-w-0 flex-col gap-4 xl:gap-5">
        <SectionCard title="Your brand" description="Shown on report pages, in PDFs and in report emails.">
          <BrandForm typed={typed} onType={setTyped} onSaved={show} />
        </SectionCard>
        <SectionCard title="Logo" description="At the top of every report and email.">
          <LogoPart brand={brand} onSaved={show} />
        </SectionCard>
      </div>
      <BrandPreview typed={typed} logo={brand?.logo ?? null} />
    </div>
  )
}

const nothingTyped = '#5b6470'

/** How the input will look to a client: a report's header, heading, line and button, and the email's sender. */
function BrandPreview({ typed, logo }: { typed: TypedBrand; logo: string | null }) {
  const { className, style } = brandScope(isColor(typed.color) ? typed.color : nothingTyped)
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

type LogoPartProps = { brand: ReportBrand['brand']; onSaved: (saved: ReportBrand) => void }

const megabytes = logoLimits.bytes / 1024 / 1024

/** The logo as redrawn by the server, and replacing it. */
function LogoPart({ brand, onSaved }: LogoPartProps) {
  const [file, setFile] = useState<File | null>(null)
  const uploading = useMutation({
    mutationFn: async (chosen: File) => {
      if (chosen.size > logoLimits.bytes) throw new Error(`The logo must be ${megabytes} MB or smaller`)
      return saveLogo(chosen)
    },
    onMutate: (chosen) => setFile(chosen),
    onSuccess: (saved) => {
      onSaved(saved)
      setFile(null)
      toast.success('Logo Saved')
    },
  })
  const removing = useMutation({
    mutationFn: removeLogo,
    onSuccess: (saved) => {
      onSaved(saved)
      uploading.reset()
      setFile(null)
      toast.success('Logo Removed')
    },
    onError: (error) => toast.error('Logo Not Removed', failureText(error, 'Please try again.')),
  })
  if (brand === null) return <p className="text-muted">Save your brand's name and color first. Then add a logo.</p>
  return (
    <div className="flex flex-col gap-4">
      {brand.logo !== null && (
        <div className="flex flex-wrap items-center gap-4">
          <BrandLogo brand={brand} />
          <Button disabled={removing.isPending} onClick={() => removing.mutate()}>
            <Trash2 aria-hidden />
            Remove logo
          </Button>
        </div>
      )}
      <FileDrop
        label={brand.logo === null ? 'Add logo' : 'Replace logo'}
        hint={`PNG, JPEG or WebP, up to ${megabytes} MB. Shown at up to ${logoLimits.shownWidth} by ${logoLimits.shownHeight} pixels.`}
        accept="image/png,image/jpeg,image/webp"
        files={file === null ? [] : [file]}
        error={uploading.error === null ? undefined : failureText(uploading.error)}
        onChoose={([chosen]) => chosen && uploading.mutate(chosen)}
      />
      {uploading.isPending && <output className="text-muted">Uploading…</output>}
    </div>
  )
}
