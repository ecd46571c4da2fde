import { Audience } from './Audience.tsx'
import { FirstAlertPrompt } from './FirstAlertPrompt.tsx'
import { ManualEvaluation } from './ManualEvaluation.tsx'
import { Movers } from './Movers.tsx'
import { OpenAlerts } from './OpenAlerts.tsx'
import { OfWholeSite } from './OfWholeSite.tsx'
import { TodayCard } from './TodayCard.tsx'

/** The dashboard below the figures: today, alerts, the largest changes, and the audience. */
export function AlertWidgets({ property }: { property: string | null }) {
  return (
    <div className="mt-4 grid grid-cols-1 gap-4 xl:mt-5 xl:gap-5">
      {property !== null && <OfWholeSite what="Today and open alerts" />}
      {property !== null && <TodayCard property={property} />}
      <FirstAlertPrompt property={property} />
      {property !== null && <OpenAlerts property={property} />}
      {property !== null && <Movers property={property} />}
      {property !== null && <Audience property={property} />}
      <ManualEvaluation property={property} />
    </div>
  )
}
