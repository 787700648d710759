import Data
import Domain
import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract

let mappers = try MapperSet([NoteMapper.self])
let store: any Store = MemoryStore(mappers.schemas)
let manager = StoreManager(store, mappers: mappers)

let note = try Note(id: UUIDv7Generator().next(), text: "Bring salt.")
try await manager.create(note)
print(try await manager.require(note.id).text)
print(try await manager.save(note).outcome)
await store.close()
