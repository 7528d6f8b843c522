import { Classes, PopoverNext, type PopoverNextProps } from '@blueprintjs/core'
import {
  cloneElement,
  isValidElement,
  type MouseEventHandler,
  type ReactElement,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { isTrap, passEarlyEscape, rememberOpener } from './layers.ts'

type Props = Omit<
  PopoverNextProps,
  'shouldReturnFocusOnClose' | 'defaultIsOpen' | 'interactionKind' | 'renderTarget' | 'targetProps'
>

/**
 * Popover with the product's defaults. After it has faded out it returns the focus to the element
 * that had it before, unless the user has moved the focus meanwhile; Blueprint's own return would
 * move it away from the next dialog or field.
 */
export function Popover({ children, ...props }: Props) {
  return props.isOpen === undefined && isValidElement<TargetProps>(children) ? (
    <PopoverOnDemand {...props} target={children} />
  ) : (
    <WholePopover {...props}>{children}</WholePopover>
  )
}

interface TargetProps {
  readonly className?: string
  readonly 'aria-expanded'?: boolean
  readonly 'aria-haspopup'?: 'menu'
}

/**
 * Mounts Blueprint's popover only while it is open: a list has one in each row and in each column, and their hooks
 * took most of the time that the table was rendered in. The element that opens it stays the same.
 */
function PopoverOnDemand({
  target,
  onClosed,
  ...props
}: Omit<Props, 'children'> & { readonly target: ReactElement<TargetProps> }) {
  const [step, setStep] = useState<'closed' | 'open' | 'closing'>('closed')
  const box = useRef<HTMLSpanElement>(null)
  const toggleRef = useRef<MouseEventHandler<HTMLElement>>(undefined)
  const onChange = useCallback((isOpen: boolean) => setStep(isOpen ? 'open' : 'closing'), [])
  const isOpen = step === 'open'
  return (
    <>
      <span
        ref={box}
        className={classes(props.className, Classes.POPOVER_TARGET, isOpen && Classes.POPOVER_OPEN)}
        onClick={(event) => {
          if (step === 'closed') setStep('open')
          else toggleRef.current?.(event)
        }}
      >
        {cloneElement(target, {
          'aria-expanded': isOpen,
          'aria-haspopup': 'menu',
          className: classes(target.props.className, isOpen && Classes.ACTIVE),
        })}
      </span>
      {step === 'closed' ? null : (
        <WholePopover
          {...props}
          defaultIsOpen
          onClosed={(node) => {
            setStep('closed')
            onClosed?.(node)
          }}
          renderTarget={({ ref, isOpen: isShown, onClick }) => (
            <PlacedAt
              box={box}
              reference={ref}
              isOpen={isShown}
              onClick={onClick}
              toggleRef={toggleRef}
              onChange={onChange}
            />
          )}
        />
      )}
    </>
  )
}

function classes(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => name !== undefined && name !== false && name !== '').join(' ')
}

/** Ties Blueprint's popover to the element beside which it is placed and that toggles it. */
function PlacedAt({
  box,
  reference,
  isOpen,
  onClick,
  toggleRef,
  onChange,
}: {
  readonly box: RefObject<HTMLElement | null>
  readonly reference: Ref<HTMLElement>
  readonly isOpen: boolean
  readonly onClick: MouseEventHandler<HTMLElement> | undefined
  readonly toggleRef: RefObject<MouseEventHandler<HTMLElement> | undefined>
  readonly onChange: (isOpen: boolean) => void
}) {
  useLayoutEffect(() => {
    if (typeof reference === 'function') reference(box.current)
  }, [box, reference])
  useLayoutEffect(() => {
    toggleRef.current = onClick
  }, [toggleRef, onClick])
  useLayoutEffect(() => onChange(isOpen), [onChange, isOpen])
  return null
}

function WholePopover({
  onOpening,
  onClosing,
  onClosed,
  ...props
}: Props & Pick<PopoverNextProps, 'renderTarget' | 'defaultIsOpen'>) {
  const focusedBefore = useRef<Element | null>(null)
  const endOfEscape = useRef<(() => void) | null>(null)
  const takesFocus = props.autoFocus !== false
  useEffect(() => () => endOfEscape.current?.(), [])
  return (
    <PopoverNext
      arrow={false}
      animation="minimal"
      placement="bottom-end"
      {...props}
      shouldReturnFocusOnClose={false}
      onOpening={(node) => {
        focusedBefore.current = document.activeElement
        rememberOpener(node, document.activeElement)
        if (takesFocus) endOfEscape.current = passEarlyEscape(node, document.activeElement)
        onOpening?.(node)
      }}
      onClosing={(node) => {
        endOfEscape.current?.()
        onClosing?.(node)
      }}
      onClosed={(node) => {
        if (
          hasKeptFocus(node) &&
          focusedBefore.current instanceof HTMLElement &&
          !isTrap(focusedBefore.current) &&
          !node.contains(focusedBefore.current)
        )
          focusedBefore.current.focus()
        onClosed?.(node)
      }}
    />
  )
}

/** Whether the focus is still in the popover, or on no element. */
function hasKeptFocus(popover: HTMLElement): boolean {
  const at = document.activeElement
  return (
    at === null ||
    at === document.body ||
    isTrap(at) ||
    popover.closest(`.${Classes.PORTAL}`)?.contains(at) === true
  )
}
