/** Neutral icon for WeChat Pay, instead of its logo: a scan frame. */
export function ScanMark({ size = 40 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 40 40"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.200"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable="false"
    >
      <path d="M5 13V8a3 3 0 0 1 3-3h5M27 5h5a3 3 0 0 1 3 3v5M35 27v5a3 3 0 0 1-3 3h-5M13 35H8a3 3 0 0 1-3-3v-5" />
      <path d="M13 19a7.500 6 0 1 1 4.600 5.500L13.800 26l.7-3.200A6 6 0 0 1 13 19Z" />
      <path d="M18 18.500h.1M23 18.500h.1" strokeWidth="2.800" />
    </svg>
  )
}

/** Neutral icon for Alipay, instead of its logo: a coin. */
export function CoinMark({ size = 40 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 40 40"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.200"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      focusable="false"
    >
      <circle cx="20" cy="20" r="14.500" />
      <path d="m14.500 13 5.500 7 5.500-7M20 20v8M15.500 21.500h9M15.500 25h9" />
    </svg>
  )
}
