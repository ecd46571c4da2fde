import { Clock } from 'lucide-react'
import { lazy, Suspense, useId } from 'react'
import { Card } from '../../../ui/Card.tsx'
import { Select } from '../../../ui/form/Select.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Switch } from '../../../ui/form/Switch.tsx'
import { WarningNote } from '../../../ui/WarningNote.tsx'
import { unknownZoneText } from '../../../widgets/delivery/delivery-settings.ts'
import { type CardProps, refusalOf } from './card-props.ts'
import { hourChoices, weekdayChoices } from './times.ts'

const pairClass = 'grid grid-cols-1 gap-4 xs:grid-cols-2'
const usualNight = { from: 22, until: 7 }

const TimeZoneField = lazy(async () => ({ default: (await import('./TimeZoneField.tsx')).TimeZoneField }))

/** When messages arrive, in the person's own time. */
export function WhenCard({ draft }: CardProps) {
  const id = useId()
  const { settings, change } = draft
  const { timeZone, frequency, digestHour, digestWeekday, digestWhenQuiet, quietHours } = settings
  const { unknownTimeZone } = draft.saved
  const refusal = refusalOf(draft, 'digestHour', 'digestWeekday', 'digestWhenQuiet', 'quietHours')
  return (
    <section aria-labelledby={id}>
      <Card>
        <div className="flex items-center gap-3">
          <span className="flex size-9 shrink-0 items-center justify-center rounded-control bg-sunken text-muted [&_svg]:size-4.5">
            <Clock aria-hidden />
          </span>
          <h3 id={id} className="text-base font-semibold">
            When
          </h3>
        </div>
        <div className="mt-5 flex flex-col gap-5">
          {unknownTimeZone !== undefined && <WarningNote>{unknownZoneText(unknownTimeZone)}</WarningNote>}
          <Suspense fallback={<Skeleton className="h-21.5 w-full" />}>
            <TimeZoneField timeZone={timeZone} error={refusalOf(draft, 'timeZone')} onChange={(zone) => change({ timeZone: zone })} />
          </Suspense>
          {frequency === 'instant' ? (
            <p className="text-muted">Alerts are sent as they happen, so there is no digest.</p>
          ) : (
            <>
              <div className={pairClass}>
                {frequency === 'weekly' && (
                  <Select
                    label="Digest day"
                    placeholder="Choose a day"
                    value={String(digestWeekday)}
                    choices={weekdayChoices}
                    onChange={(day) => change({ digestWeekday: Number(day) })}
                  />
                )}
                <HourSelect label="Digest time" hour={digestHour} onChange={(hour) => change({ digestHour: hour })} />
              </div>
              <Switch
                label="Send a digest even when there are no alerts"
                hint="Summarizes how your sites did."
                checked={digestWhenQuiet}
                onChange={(on) => change({ digestWhenQuiet: on })}
              />
            </>
          )}
          <div className="flex flex-col gap-4 border-t border-line pt-5">
            <Switch
              label="Quiet hours"
              hint="Instant alerts and connection problems are held until quiet hours end. Digests and webhooks aren't affected."
              checked={quietHours !== null}
              onChange={(on) => change({ quietHours: on ? (draft.saved.quietHours ?? usualNight) : null })}
            />
            {quietHours !== null && (
              <div className={pairClass}>
                <HourSelect
                  label="From"
                  hour={quietHours.from}
                  except={quietHours.until}
                  onChange={(from) => change({ quietHours: { ...quietHours, from } })}
                />
                <HourSelect
                  label="Until"
                  hour={quietHours.until}
                  except={quietHours.from}
                  onChange={(until) => change({ quietHours: { ...quietHours, until } })}
                />
              </div>
            )}
          </div>
        </div>
        {refusal !== undefined && (
          <p role="alert" className="mt-4 text-sm text-critical">
            {refusal}
          </p>
        )}
      </Card>
    </section>
  )
}

type HourSelectProps = { label: string; hour: number; except?: number; onChange: (hour: number) => void }

/** Selects a full hour of the day. */
function HourSelect({ label, hour, except, onChange }: HourSelectProps) {
  return (
    <Select
      label={label}
      placeholder="Choose an hour"
      value={String(hour)}
      choices={hourChoices(except ?? null)}
      onChange={(value) => onChange(Number(value))}
    />
  )
}
