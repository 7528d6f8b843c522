import type { IconName, SVGIconProps } from '@blueprintjs/icons'
import { SVGIconContainer } from '@blueprintjs/icons/lib/esm/svgIconContainer.js'
import { type ForwardRefExoticComponent, forwardRef, type SVGProps } from 'react'

const largeSize = 20
const standardGrid: SVGProps<SVGElement> = { viewBox: '0 0 16 16' }

/**
 * Stands in for the modules of Blueprint's icons in the build (vite-icons.ts): one component for all of them, with
 * the drawings for 16 pixels and, where the product shows an icon larger, those for 20.
 */
export function drawing(
  iconName: IconName,
  small: readonly string[],
  large?: readonly string[],
): ForwardRefExoticComponent<SVGIconProps> {
  return forwardRef((props, ref) => {
    const isLarge = (props.size ?? 0) >= largeSize
    const enlarged = isLarge && large === undefined
    return (
      <SVGIconContainer
        iconName={iconName}
        ref={ref}
        {...props}
        {...(enlarged && { svgProps: standardGrid })}
      >
        {((isLarge ? large : undefined) ?? small).map((path) => (
          <path key={path} d={path} fillRule="evenodd" />
        ))}
      </SVGIconContainer>
    )
  })
}
