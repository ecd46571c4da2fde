import { saveColourBy, useColourBy } from '../../lib/colour-by.ts'
import { saveTheme, themeNames, themes, useTheme } from '../../shell/theme.ts'
import { SectionCard } from '../../ui/Card.tsx'
import { Select } from '../../ui/Select.tsx'
import { Switch } from '../../ui/Switch.tsx'

const choices = themes.map((value) => ({ value, label: themeNames[value] }))

/** How the screens look in this browser. */
export function DisplayCard() {
  const theme = useTheme()
  const colourBy = useColourBy()
  return (
    <SectionCard title="Display" description="How Ranklark looks in this browser.">
      <div className="flex max-w-2xl flex-col gap-5">
        <div className="max-w-md">
          <Select label="Theme" placeholder="Choose a theme" value={theme} choices={choices} onChange={saveTheme} />
        </div>
        <div className="border-t border-line pt-5">
          <Switch
            label="Colour by outcome"
            hint="Improvements are green and losses red everywhere. Off: a rise of clicks or positions is red and a fall green, the other way round for impressions and CTR."
            checked={colourBy === 'outcome'}
            onChange={(on) => saveColourBy(on ? 'outcome' : 'figure')}
          />
        </div>
      </div>
    </SectionCard>
  )
}
