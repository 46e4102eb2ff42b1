import { expect, it } from 'vitest';
import { BAD_GATEWAY, bench, DAG, fail } from './bench.test-helper.ts';
import { rejects } from './conformance/bench.test-helper.ts';

it.each(['2.10.3', '3.0.2'])(
  "a pausing client of Airflow %s calls the caller's function for each pause, and does not retry a version request",
  async (version) => {
    const { fake, client, notes } = bench({ version });
    let pauses = 0;
    const pausing = client.pausing(async (pause) => {
      pauses += 1;
      await pause();
    });
    fail(fake, { method: 'GET', path: /version/ }, [BAD_GATEWAY, BAD_GATEWAY]);
    await rejects(pausing.dag(DAG.id), 'server_error');
    await rejects(pausing.dag(DAG.id), 'server_error');
    expect([pauses, fake.requests.length]).toEqual([0, 2]);
    fail(fake, { method: 'GET', path: /dags/ }, [BAD_GATEWAY]);
    expect((await pausing.dag(DAG.id)).dagId).toBe(DAG.id);
    expect(pauses).toBe(1);
    fail(fake, { method: 'GET', path: /dags/ }, [BAD_GATEWAY]);
    await client.version();
    await client.dag(DAG.id);
    expect(pauses).toBe(1);
    expect(notes).toHaveLength(fake.requests.length);
  },
);
