const width = 30;

/** A bar on standard error where that is a terminal; silent elsewhere. Without a total it shows what was done. */
export function progressBar(total: number | undefined): { show(done: number): void; end(): void } {
  if (!process.stderr.isTTY) return { show() {}, end() {} };
  let shownAt = 0;
  let open = false;
  return {
    show(done) {
      const now = performance.now();
      if (now - shownAt < 100) return;
      shownAt = now;
      open = true;
      if (!total) return void process.stderr.write(`\r${done.toLocaleString('en')} `);
      const part = Math.min(1, done / total);
      const bar = '█'.repeat(Math.round(part * width)).padEnd(width, '░');
      process.stderr.write(`\r${bar} ${String(Math.floor(part * 100)).padStart(3)} % `);
    },
    end() {
      if (open) process.stderr.write('\r\u001b[K');
      open = false;
    },
  };
}
