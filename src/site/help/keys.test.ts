import { expect, test } from 'vitest'
import { shortcutGroups } from '../../web/shell/frame/shortcuts.ts'
import { shortcutRows, type Way } from './keys.ts'

const pressed = (rows: readonly { ways: readonly { keys: readonly string[]; together?: boolean }[] }[]): string[] =>
  rows.flatMap(({ ways }) => ways.map(({ keys, together }) => keys.join(together ? '+' : ' ')))

test('the help lists exactly the keys that the app listens to', () => {
  const onOtherMachines: Way = { keys: ['⌘', 'K'], together: true }
  const app = [...pressed(shortcutGroups().flatMap(({ shortcuts }) => shortcuts)), ...pressed([{ ways: [onOtherMachines] }])]
  expect(new Set(pressed(shortcutRows))).toEqual(new Set(app))
})
