import { Breadcrumb, Classes, Menu, MenuItem } from '@blueprintjs/core'
import { useText } from '../../app/text-context.ts'
import { Popover } from '../../ui/overlays/popover.tsx'
import { useNarrow } from '../../app/use-narrow.ts'

export interface Step {
  readonly text: string
  readonly href?: string
}

/**
 * The page's place in the menu. On a phone only the page, the rest behind a button. Blueprint's own
 * Breadcrumbs puts a measuring `div` into its list, which HTML forbids.
 */
export function Breadcrumbs({ steps }: { readonly steps: readonly Step[] }) {
  const { t } = useText()
  const narrow = useNarrow()
  const above = narrow ? steps.slice(0, -1) : []
  const shown = steps.slice(above.length)
  return (
    <nav className="jw-top__trail" aria-label={t('shell.breadcrumb')}>
      <ol className={Classes.BREADCRUMBS}>
        {above.length === 0 ? null : (
          <li>
            <Popover
              placement="bottom-start"
              content={
                <Menu>
                  {above.toReversed().map(({ text, href }) => (
                    <MenuItem
                      key={text}
                      text={text}
                      disabled={href === undefined}
                      {...(href === undefined ? {} : { href })}
                    />
                  ))}
                </Menu>
              }
            >
              <button
                type="button"
                className={Classes.BREADCRUMBS_COLLAPSED}
                aria-label={t('shell.above')}
              />
            </Popover>
          </li>
        )}
        {shown.map((step, index) => (
          <li key={step.text}>
            <Breadcrumb current={index === shown.length - 1} {...step} />
          </li>
        ))}
      </ol>
    </nav>
  )
}
