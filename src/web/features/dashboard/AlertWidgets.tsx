import { FirstAlertPrompt } from './FirstAlertPrompt.tsx'
import { ManualEvaluation } from './ManualEvaluation.tsx'
import { OpenAlerts } from './OpenAlerts.tsx'
import { RecentAlerts } from '../../widgets/RecentAlerts.tsx'
import { TodayCard } from './TodayCard.tsx'

/** What the dashboard has about today and about alerts, below the figures. */
export function AlertWidgets({ property }: { property: string | null }) {
  return (
    <div className="mt-4 grid grid-cols-1 gap-4 xl:mt-5 xl:gap-5">
      {property !== null && <TodayCard property={property} />}
      <FirstAlertPrompt property={property} />
      {property !== null && <OpenAlerts property={property} />}
      {property !== null && <RecentAlerts property={property} limit={10} />}
      <ManualEvaluation property={property} />
    </div>
  )
}
