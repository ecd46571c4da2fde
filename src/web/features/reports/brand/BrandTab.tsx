import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Palette } from 'lucide-react'
import { useState } from 'react'
import type { ReportBrand } from '../../../../contract/publishing.ts'
import { reportBrandQuery } from '../../../api/publishing.ts'
import { useCurrentUser } from '../../../shell/current-user.ts'
import { SectionCard } from '../../../ui/Card.tsx'
import { LoadFailure } from '../LoadFailure.tsx'
import { ListLoading } from '../ListLoading.tsx'
import { lockedWords } from '../locked-words.ts'
import { LockedFeature } from '../../../widgets/LockedFeature.tsx'
import { BrandForm } from './BrandForm.tsx'
import { BrandPreview } from './BrandPreview.tsx'
import { typedOf } from './brand-values.ts'
import { LogoPart } from './LogoPart.tsx'

/** How reports look, and who sends them. */
export function BrandTab() {
  const { plan } = useCurrentUser()
  const { data, error, refetch } = useQuery(reportBrandQuery(plan))
  if (error !== null) return <LoadFailure what="your brand" error={error} onRetry={() => void refetch()} />
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
