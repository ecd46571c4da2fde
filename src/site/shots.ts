/** Pictures of the product in use on the landing page; `npm run screenshots` takes them, in CSS pixels of these sizes. */
export const shots = {
  dashboard: { desk: { width: 1_440, height: 900 }, phone: { width: 375, height: 640 } },
  mail: { desk: { width: 600, height: 672 }, phone: { width: 375, height: 671 } },
  backtest: { desk: { width: 486, height: 571 }, phone: { width: 343, height: 657 } },
} as const

export type ShotName = keyof typeof shots
export type ShotView = 'desk' | 'phone'
export const shotThemes = ['light', 'dark'] as const
export type ShotTheme = (typeof shotThemes)[number]

/** Sharp screens get twice the pixels. */
export const shotScales = [1, 2] as const

export const shotFile = (name: ShotName, view: ShotView, theme: ShotTheme, scale: number): string =>
  `${name}-${view}-${theme}-${scale}x.webp`
