import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EventEmitterModule } from '@nestjs/event-emitter';
import { Test } from '@nestjs/testing';
import { EventListeners } from '../../src/events/event-listeners.js';
import { type Announced, OnDomainEvent } from '../../src/events/on-domain-event.js';

const heard: string[] = [];

@Injectable()
class Library {
  @OnDomainEvent('shelf', ['kv.patched', 'proof.bound'])
  async keep({ name }: Announced<'kv.patched' | 'proof.bound'>): Promise<void> {
    heard.push(`shelf ${name}`);
  }

  @OnDomainEvent('shelf', ['proof.revoked'])
  async drop({ name }: Announced<'proof.revoked'>): Promise<void> {
    throw new Error(`${name}: it is lent`);
  }

  @OnDomainEvent('counter', ['kv.patched'])
  async count({ name }: Announced<'kv.patched'>): Promise<void> {
    heard.push(`counter ${name}`);
  }
}

@Injectable()
class Twice {
  @OnDomainEvent('shelf', ['kv.patched'])
  async one({ name }: Announced<'kv.patched'>): Promise<void> {
    heard.push(`one ${name}`);
  }

  @OnDomainEvent('shelf', ['kv.patched'])
  async other({ name }: Announced<'kv.patched'>): Promise<void> {
    heard.push(`other ${name}`);
  }
}

@Module({
  providers: [
    EventListeners,
    { provide: 'a value', useValue: null },
    { provide: 'a text', useValue: 'x' },
    { provide: 'what is not there', useFactory: () => undefined },
  ],
})
class Listening {}

async function listenersOf(...providers: (new () => object)[]): Promise<EventListeners> {
  const server = await Test.createTestingModule({
    imports: [
      DiscoveryModule,
      EventEmitterModule.forRoot(),
      { module: Listening, imports: [DiscoveryModule], providers },
    ],
  }).compile();
  server.useLogger(false);
  await server.init();
  return server.get(EventListeners);
}

const announced = (name: string) => ({ name }) as Announced;

describe('the listeners of a server', () => {
  it('are found by their names, and hear one at a time what they listen to', async () => {
    const listeners = await listenersOf(Library);

    expect([...listeners.names].sort()).toEqual(['counter', 'shelf']);
    await listeners.announce('shelf', announced('proof.bound'));
    await listeners.announce('shelf', announced('kv.patched'));
    await listeners.announce('counter', announced('proof.bound'));
    expect(heard).toEqual(['shelf proof.bound', 'shelf kv.patched']);
    await expect(listeners.announce('shelf', announced('proof.revoked'))).rejects.toThrow('it is lent');
  });

  it('cannot have two methods for one event', async () => {
    await expect(listenersOf(Twice)).rejects.toThrow('The listener shelf has two methods for kv.patched.');
  });
});
