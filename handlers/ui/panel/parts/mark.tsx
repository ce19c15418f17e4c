/** The program's logo. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg class="mark" width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M8 10h5.500a6 6 0 0 1 0 12H8M24 10h-3m3 6h-5m5 6h-3" />
    </svg>
  );
}
