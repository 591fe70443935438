// A thread that takes a second to start.

for (const end = performance.now() + 1000; performance.now() < end; );
await import('./obedient-thread.ts');

export {};
