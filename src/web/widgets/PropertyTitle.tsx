import { PropertyName } from './PropertyName.tsx'

/** A screen's title and its property; null if none is selected. */
export function PropertyTitle({ title, property }: { title: string; property: string | null }) {
  return (
    <div className="min-w-0">
      <h1 className="text-title font-semibold">{title}</h1>
      <p className="text-muted">{property === null ? 'No property selected' : <PropertyName name={property} />}</p>
    </div>
  )
}
