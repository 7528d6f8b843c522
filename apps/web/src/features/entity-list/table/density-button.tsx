import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core'
import { Blank, LayoutThreeRows, Tick } from '@blueprintjs/icons'
import { useText } from '../../../app/text-context.ts'
import { changeSettings, densities, useSettings } from '../../../app/settings.ts'
import { Popover } from '../../../ui/overlays/popover.tsx'

/** Chooses the height of the rows of every list, and whether columns share the width of the window. */
export function DensityButton() {
  const { t } = useText()
  const { density, fitWidth } = useSettings()
  return (
    <Popover
      content={
        <Menu>
          {densities.map((each) => (
            <MenuItem
              key={each}
              icon={each === density ? <Tick /> : <Blank />}
              text={t(`list.density.${each}`)}
              aria-current={each === density}
              onClick={() => changeSettings({ density: each })}
            />
          ))}
          <MenuDivider />
          <MenuItem
            icon={fitWidth ? <Tick /> : <Blank />}
            text={t('list.fitWidth')}
            aria-current={fitWidth}
            onClick={() => changeSettings({ fitWidth: !fitWidth })}
          />
        </Menu>
      }
    >
      <Button
        variant="minimal"
        icon={<LayoutThreeRows />}
        aria-label={t('list.density')}
        title={t('list.density')}
      />
    </Popover>
  )
}
