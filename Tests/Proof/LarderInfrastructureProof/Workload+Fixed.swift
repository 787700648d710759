@testable import LarderInfrastructureTests

extension Workload {
    /// Handwritten workloads. Each starts with an empty disk, without a folder.
    static let fixed: [Workload] = texts.compactMap(Workload.init)

    /// The workloads as text, in the parsed format.
    static let texts = [
        // Single and grouped commits.
        "1=a",
        "1=a 2=b 3=c",
        "1=a;2=b;3=c",
        "1=a,2=b,3=c",
        "1=a;!1;2=b 1=c;1=d",
        "1=a 1=b 1=c 1=d 1=e",
        "1=a;2=a;3=c 2=c;3=b",
        "!1 1=a !1 2=b",
        // Deletions.
        "1=a -1 1=a",
        "1=a;2=b -1;-2 1=b",
        "1=a,2=b -1,2=a,3=b",
        "1=a;-1;1=b;-1",
        // Clean closes, kills, and both.
        "1=a reopen",
        "reopen 1=a reopen 2=b reopen",
        "1=a kill 2=b kill 3=c",
        "kill kill 1=a kill kill",
        "1=a reopen reopen reopen 2=b",
        "1=a reopen kill 2=b kill reopen 3=c",
        "1=a;2=b reopen -1 reopen -2 reopen",
        // Compaction.
        "compact 1=a compact",
        "1=a 1=b 1=c compact 1=d",
        "1=a;2=b compact kill 3=c compact reopen",
        "1=a reopen compact reopen 2=b compact",
        "1=a -1 compact kill 1=b",
        "1=a compact compact compact 2=b reopen",
        "auto 1=a*40 1=b*40 1=c*40 1=d*40 1=e*40 1=f*40 1=g*40 1=h*40 1=i*40",
        "auto 1=a*90;2=b*90;3=c*90 1=d*90;2=e*90;3=f*90 -1;-2;-3 reopen 1=a",
        // Additional declarations for a log with data.
        "grow 1=a",
        "1=a grow 2=b 1=c",
        "1=a grow 2=b grow 3=c reopen",
        "1=a kill grow kill 1=b compact grow compact",
        "grow grow grow 1=a;2=b grow 1=c",
        // Records that span several blocks of a device.
        "1=a*600",
        "1=a*500 2=b*2000 3=c",
        "1=a*1500 kill 1=b*1500 compact 1=c*1500",
        "1=a*3000;2=b*3000 reopen -1 compact",
        "1=a*484 2=b*512 3=c*1024",
        // Groups and logs of several records.
        "1=a*200;2=b*200;3=c*200 compact reopen -1;2=d*250;3=e*250 kill",
        "1=a*160,2=b*100;!1;3=c*200;4=d*200 kill 1=e*200;4=f*200 reopen",
        "1=a room:450 2=b*200;3=c*200;4=d*200 room 2=b*200;3=c*200;4=d*200 reopen",
        // A full disk.
        "1=a room:0 2=b room 3=c",
        "1=a room:40 2=b*100 room:200 2=b*100 3=c*100 room 3=c*100",
        "1=a 1=b room:20 compact room compact 2=c",
        "1=a room:10 kill room 2=b",
        "1=a reopen room:0 2=b room 2=b reopen",
        "1=a;2=b room:60 1=c*200;2=d*200 kill 3=e room kill 3=e",
        "1=a room:100 reopen 2=b*50 compact room:0 -1 room -1 reopen",
        "1=a room:30 2=b*60 room reopen 2=c",
        "1=a reopen 2=b room:30 3=c*60 room 3=d reopen",
        "auto 1=a*60 room:150 1=b*60 1=c*60 1=d*60 1=e*60 room 1=f*60",
        // All of the above.
        "1=a 2=b;3=c compact -2 reopen 1=d grow 4=e*700 kill -1;-3 compact 5=f reopen",
        "grow 1=a;2=b room:30 3=c*80 room 3=c*80 reopen grow compact -3 kill 1=z",
    ]
}
