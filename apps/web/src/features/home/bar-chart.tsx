import { useId } from 'react'
import { Link } from 'react-router-dom'

export interface Bar {
  readonly label: string
  readonly value: number
  /** The list of what the bar counts. */
  readonly to: string
  /** Marked as bad, such as fails. */
  readonly isLow?: boolean
}

const width = 600
const height = 150
const gap = 0.22

/**
 * A bar chart of plain SVG, whose bars are links to the list of what they count. Screen readers get a table instead.
 * `labelEvery`: below which bars the label stands.
 */
export function BarChart({
  title,
  bars,
  labelEvery = 1,
  format,
}: {
  readonly title: string
  readonly bars: readonly Bar[]
  readonly labelEvery?: number
  readonly format: (value: number) => string
}) {
  const id = useId()
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const step = width / Math.max(1, bars.length)
  return (
    <figure className="jw-chart" aria-labelledby={id}>
      <figcaption id={id} className="jw-visually-hidden">
        {title}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height + 40}`} aria-hidden focusable="false">
        {bars.map(({ label, value, to, isLow }, index) => {
          const size = (value / most) * height
          return (
            <Link key={label} to={to} tabIndex={-1}>
              <title>{`${label}：${format(value)}`}</title>
              <rect
                className="jw-chart__hit"
                x={index * step}
                y={0}
                width={step}
                height={height + 40}
              />
              <rect
                className={isLow === true ? 'jw-chart__bar is-low' : 'jw-chart__bar'}
                x={index * step + (step * gap) / 2}
                y={18 + height - size}
                width={step * (1 - gap)}
                height={Math.max(size, value > 0 ? 2 : 0)}
                rx={3}
              />
              {bars.length > 12 ? null : (
                <text className="jw-chart__value" x={(index + 0.5) * step} y={12 + height - size}>
                  {format(value)}
                </text>
              )}
              {index % labelEvery === 0 ? (
                <text className="jw-chart__label" x={(index + 0.5) * step} y={height + 36}>
                  {label}
                </text>
              ) : null}
            </Link>
          )
        })}
        <line className="jw-chart__base" x1={0} x2={width} y1={height + 18} y2={height + 18} />
      </svg>
      <table className="jw-visually-hidden" aria-labelledby={id}>
        <tbody>
          {bars.map(({ label, value, to }) => (
            <tr key={label}>
              <th scope="row">
                <Link to={to}>{label}</Link>
              </th>
              <td>{format(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  )
}
