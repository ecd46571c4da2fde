import { useAssets } from '../assets.ts'
import { type ShotName, type ShotTheme, shotFile, shots, shotScales, shotThemes, type ShotView } from '../shots.ts'

type ShotProps = {
  name: ShotName
  alt: string
  /** Its displayed width, except on phones. */
  sizes: string
  className?: string
}

const shownIn: Record<ShotTheme, string> = { light: 'dark:hidden', dark: 'hidden dark:block' }

/**
 * A screenshot of the product in the page's theme, with a separate one for phones. Only the displayed one is fetched: browsers skip lazy
 * images that aren't displayed, and only the root's class says which theme is on.
 */
export function Shot({ name, alt, sizes, className = '' }: ShotProps) {
  const { picture } = useAssets()
  const files = (view: ShotView, theme: ShotTheme) =>
    shotScales.map((scale) => `${picture(shotFile(name, view, theme, scale))} ${shots[name][view].width * scale}w`).join(', ')
  const { desk, phone } = shots[name]
  return shotThemes.map((theme) => (
    <picture key={theme} className={`${shownIn[theme]} ${className}`}>
      <source media="(width < 40rem)" srcSet={files('phone', theme)} sizes="calc(100vw - 2rem)" width={phone.width} height={phone.height} />
      <img
        src={picture(shotFile(name, 'desk', theme, 1))}
        srcSet={files('desk', theme)}
        sizes={sizes}
        width={desk.width}
        height={desk.height}
        alt={alt}
        loading="lazy"
        decoding="async"
        className="block h-auto w-full"
      />
    </picture>
  ))
}
