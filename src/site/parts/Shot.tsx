import { useAssets } from '../assets.ts'
import { type ShotName, type ShotTheme, shotFile, shots, shotScales, shotThemes, type ShotView } from '../shots.ts'

type ShotProps = {
  name: ShotName
  alt: string
  /** How wide it is shown, where the window is not a phone's. */
  sizes: string
  className?: string
}

const shownIn: Record<ShotTheme, string> = { light: 'dark:hidden', dark: 'hidden dark:block' }

/**
 * The product as it is, in the theme of the page and for phones as phones show it. Only what is shown is fetched: browsers
 * leave out lazy pictures that are not displayed, and only the class of the root says which theme that is.
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
